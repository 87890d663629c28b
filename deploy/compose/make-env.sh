#!/bin/sh
# Generates the secrets of an installation for compose.yaml. Keep the output: without it every key and signing secret is lost.
set -eu
umask 077
# Only letters and digits, because a password is a part of a URL.
word() { openssl rand -hex 32; }
echo "POSTGRES_PASSWORD=$(word)"
echo "SANDBOX_DATABASE_PASSWORD=$(word)"
echo "CONSOLE_DATABASE_PASSWORD=$(word)"
echo "SANDBOX_PEPPER=$(word)"
echo "SANDBOX_MASTER_KEY=$(openssl rand -base64 32)"
echo "SANDBOX_MANAGEMENT_KEY=$(word)"
echo "CONSOLE_SECRET=$(word)"
