# shellcheck shell=sh
#
# npm-install.sh: installs the packages in an example's package.json, or in its lock file.
# Sourced, not run.  If npm's registry cannot be reached, the example is skipped.

# npm trusts only its own certificates.  The system can have more.
certificates=/etc/ssl/certs/ca-certificates.crt
[ ! -f $certificates ] || export NODE_EXTRA_CA_CERTS=$certificates
# --install-links copies clients/js, as if it came from the registry, but does not build it.
[ ! -f ../../clients/js/build.js ] || node ../../clients/js/build.js
if [ -f package-lock.json ]; then set -- ci; else set -- install --install-links --no-package-lock; fi
npm "$@" --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null || {
	npm ping >/dev/null 2>&1 && exit 1
	echo "npm's registry cannot be reached"
	exit 77
}
