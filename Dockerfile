# Slipway's server, each role of it, for a Postgres of your own. docs/operate/install.md says how to run it; deploy/compose has a whole
# installation. Nothing is written but to /data, and nothing there is needed but by the Console: it leaves the owner's first link.
# The base image: a release names its digest (`npm run images`).
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && node scripts/copy-distribution.mjs /image

FROM ${NODE_IMAGE}
COPY --from=build /image /slipway
RUN mkdir /data && chown 65532:65532 /data
USER 65532:65532
WORKDIR /slipway
VOLUME /data
# Workers need a larger young generation (decision 0056). Without the option, its size depends on the version of Node and the memory limit.
ENV NODE_OPTIONS=--max-semi-space-size=32
ENV NODE_ENV=production SLIPWAY_DATA_DIR=/data SLIPWAY_HOST=0.0.0.0 SLIPWAY_MONITORING_HOST=0.0.0.0
ENTRYPOINT ["node", "server/bin/slipway-server.mjs"]
