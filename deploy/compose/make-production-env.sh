#!/bin/sh
# Draws the secrets of production, for compose.production.yaml: none of them is the sandbox's. Keep what it prints.
set -eu
umask 077
upstream=${1:?where your API is, before /v1}
api=${2:?the address under which apps reach production, without /v1}
# Of letters and digits alone, because passwords stand in addresses.
word() { openssl rand -hex 32; }
echo "PRODUCTION_DATABASE_PASSWORD=$(word)"
echo "PRODUCTION_PEPPER=$(word)"
echo "PRODUCTION_MASTER_KEY=$(openssl rand -base64 32)"
echo "PRODUCTION_MANAGEMENT_KEY=$(word)"
echo "PRODUCTION_IDENTITY_KEY=$(word)"
echo "PRODUCTION_INGEST_KEY=$(word)"
echo "PRODUCTION_UPSTREAM_URL=$upstream"
echo "PRODUCTION_API_URL=$api"
