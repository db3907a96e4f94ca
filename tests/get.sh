# Read by the scripts that need programs from Debian (`. tests/get.sh`).

# get PROGRAM PACKAGE…: installs packages if a program is missing and that can be done; one call at a time.
get() {
    command -v "$1" > /dev/null && return
    [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || return 0
    (
        flock 9
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${@:2}" > /dev/null || true
    ) 9> "${TMPDIR:-/tmp}/chuhe-get.lock"
}
