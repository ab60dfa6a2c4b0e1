# shellcheck shell=sh
#
# npm-install.sh: installs what an example's package.json names.  Sourced, not
# run.  Where npm's registry cannot be reached, the example ends, skipped.

# npm trusts the certificates that it came with; the system may know more.
certificates=/etc/ssl/certs/ca-certificates.crt
[ ! -f $certificates ] || export NODE_EXTRA_CA_CERTS=$certificates
# The client of clients/js is copied, as one of a registry would be.
npm install --install-links --no-audit --no-fund --no-package-lock --no-update-notifier --loglevel=error >/dev/null || {
	npm ping >/dev/null 2>&1 && exit 1
	echo "npm's registry cannot be reached"
	exit 77
}
