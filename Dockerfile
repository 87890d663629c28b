# Image of the server for every role, with an external Postgres. docs/operate/install.md describes how to run it, and how to build it
# reproducibly; deploy/compose contains a complete installation. The server writes only to /data. Only the Console needs /data: for the
# sign-in link of the first owner.
# Base image. A release pins it by digest (`npm run images`).
ARG NODE_IMAGE=node:24-bookworm-slim
# The built files are the same on all platforms, so they are built on the platform of the builder.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && node scripts/copy-distribution.mjs /image && mkdir /data

# This stage runs no program: its content depends on the base image and the commit only.
FROM ${NODE_IMAGE}
COPY --from=build /image /slipway
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
WORKDIR /slipway
VOLUME /data
# Workers need a larger young generation (decision 0056). Without the option, its size depends on the version of Node and the memory limit.
ENV NODE_OPTIONS=--max-semi-space-size=32
ENV NODE_ENV=production SLIPWAY_DATA_DIR=/data SLIPWAY_HOST=0.0.0.0 SLIPWAY_MONITORING_HOST=0.0.0.0
ENTRYPOINT ["node", "server/bin/slipway-server.mjs"]
