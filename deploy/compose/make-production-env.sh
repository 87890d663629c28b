#!/bin/sh
# Generates the secrets of production for compose.production.yaml. They differ from those of the sandbox. Keep the output.
set -eu
umask 077
upstream=${1:?base address of your API, without /v1}
api=${2:?the address under which apps reach production, without /v1}
# Only letters and digits, because a password is a part of a URL.
word() { openssl rand -hex 32; }
echo "PRODUCTION_DATABASE_PASSWORD=$(word)"
echo "PRODUCTION_PEPPER=$(word)"
echo "PRODUCTION_MASTER_KEY=$(openssl rand -base64 32)"
echo "PRODUCTION_MANAGEMENT_KEY=$(word)"
echo "PRODUCTION_IDENTITY_KEY=$(word)"
echo "PRODUCTION_INGEST_KEY=$(word)"
echo "PRODUCTION_UPSTREAM_URL=$upstream"
echo "PRODUCTION_API_URL=$api"
