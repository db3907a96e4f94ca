# Sourced by scripts that require programs from Debian or npm (`. tests/get.sh`).

# get PROGRAM PACKAGE…: installs packages if a program is missing and installation is possible; one call at a
# time. Without root, this works only on a machine for continuous integration (CI is set) with sudo without a
# password.
get() {
    local as_root=()
    command -v "$1" > /dev/null && return
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    [ "$(id -u)" = 0 ] || [ -n "${CI:-}" ] || return 0
    command -v apt-get > /dev/null && "${as_root[@]}" true 2> /dev/null || return 0
    (
        flock 9
        # Another process may be installing packages, such as the unattended upgrades of a fresh machine.
        "${as_root[@]}" apt-get update -qq &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends \
                -o DPkg::Lock::Timeout=300 "${@:2}" > /dev/null || true
    ) 9> "${TMPDIR:-/tmp}/chuhe-get.lock"
}

# axe_core FOLDER: prints the path of axe-core, which checks accessibility; downloads it from npm to the
# folder if necessary.
axe_core() {
    (
        flock 9
        [ -f "$1/package/axe.min.js" ] || (cd "$1" && npm pack --silent axe-core@4.14.1 > /dev/null && tar -xzf axe-core-4.14.1.tgz)
    ) 9> "$1/lock" && echo "$1/package/axe.min.js"
}
