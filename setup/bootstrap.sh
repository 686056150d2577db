# shellcheck shell=bash
# Sourced by `run`, `test` and `agent`, which set `root` and `command_name`: makes the virtual environment ready.
# It speaks on standard error, because standard output belongs to the command.

: "${root:?}" "${command_name:?}"
venv="$root/.venv"
python="$venv/bin/python"
network_words='[Cc]onnection|[Tt]imed out|[Tt]imeout|[Tt]emporary failure|[Nn]etwork|[Rr]etrying|IncompleteRead|SSLError|ProxyError'

say() {
    printf '%s\n' "$@" >&2
}

stop() {
    say "$@"
    exit 1
}

# Makes .venv hold what the named requirements file asks for.
prepare() {
    unset PYTHONHOME
    if is_ready "$1"; then
        return
    fi
    check_system
    wait_for_others
    if ! is_ready "$1"; then
        check_packages
        check_writable
        make_venv
        install_requirements "$1"
    fi
    exec 9<&-
}

# Starts no process, because every command pays for it.
is_ready() {
    [[ -x "$python" && ! -e "$venv/.incomplete" ]] && is_installed requirements.txt && is_installed "$1"
}

is_installed() {
    local stamp="$venv/.installed-$1"
    [[ -r "$stamp" && "$(<"$stamp")" == "$(<"$root/$1")" ]]
}

check_system() {
    if [[ "$OSTYPE" != linux* ]]; then
        stop "Task Agent runs on Linux and on Windows with WSL2; this is neither (\`$OSTYPE\`)" \
            "On Windows, run \`wsl --install\` once and start it there; elsewhere, use a Linux machine or container"
    fi
    if [[ "$(uname -r)" == *-Microsoft ]]; then
        stop "Task Agent needs WSL2, and this is WSL1" "In Windows, run \`wsl --set-version <distribution> 2\` once"
    fi
}

# The file itself is the lock: nothing is left behind, and a checkout that cannot be written to can be locked too.
wait_for_others() {
    exec 9<"$root/requirements.txt"
    if ! flock --nonblock 9; then
        say "This folder is being set up by another command; waiting for it"
        flock 9
    fi
}

check_writable() {
    local folder
    for folder in "$root" "$venv"; do
        if [[ -e "$folder" && ! -w "$folder" ]]; then
            stop "\`$folder\` cannot be written to, so nothing can be installed there" \
                "Copy the project into a folder of your own and run \`./$command_name\` there"
        fi
    done
}

# Programs that the system had better provide: the program, the package it comes in, and what needs it.
# A command may add its own before it calls `prepare`.
optional_programs=("bwrap:bubblewrap:running code in a sandbox")

# What the system must provide (git, Python 3.11 or newer with venv), and what it had better.
check_packages() {
    local entry optional=()
    for entry in "${optional_programs[@]}"; do
        has_program "$entry" || optional+=("$(cut -d: -f2 <<<"$entry")")
    done
    find_missing
    if ((${#missing[@]} + ${#optional[@]} > 0)); then
        add_packages "${missing[@]}" "${optional[@]}" || ((${#missing[@]} == 0)) || add_packages "${missing[@]}" || true
        # A fresh system learns only while installing which Python versions it could have.
        find_missing
        ((${#missing[@]} == 0)) || add_packages "${missing[@]}" || true
        find_missing
    fi
    if ((${#missing[@]} > 0)); then
        say "Something that is needed is missing on this system: ${missing[*]}"
        if command -v apt-get >/dev/null; then
            stop "Run this, then \`./$command_name\` again: $(administrator)apt-get install -y ${missing[*]}"
        fi
        stop "Install it with this system's package manager, then run \`./$command_name\` again"
    fi
    for entry in "${optional_programs[@]}"; do
        has_program "$entry" || without_program "$entry"
    done
}

has_program() {
    command -v "${1%%:*}" >/dev/null
}

without_program() {
    local package purpose
    IFS=: read -r _ package purpose <<<"$1"
    say "Going on without \`$package\`, which $purpose needs" \
        "To add it: $(administrator)apt-get install -y $package"
}

find_missing() {
    missing=()
    command -v git >/dev/null || missing+=(git)
    find_python || missing+=("${python_packages[@]}")
}

administrator() {
    ((EUID == 0)) || printf 'sudo '
}

# Sets `base_python`, or else `python_packages`: what would provide one.
find_python() {
    local name answer without_venv=""
    local probe='
import os, sys
version = sys.version_info[:2]
if (3, 11) <= version <= (3, 14):
    try:
        import ensurepip, venv
        print("whole", os.path.realpath(sys.executable))
    except ImportError:
        print("bare", "%d.%d" % version)
'
    for name in python3.13 python3.12 python3.11 python3.14 python3; do
        answer="$("$name" -c "$probe" 2>/dev/null)" || continue
        case "$answer" in
            whole*) base_python="${answer#whole }" && return 0 ;;
            bare*) without_venv="${without_venv:-${answer#bare }}" ;;
        esac
    done
    python_packages=(python3 python3-venv)
    if [[ -n "$without_venv" ]]; then
        python_packages=("python$without_venv-venv")
    elif [[ "$(apt-cache madison python3 2>/dev/null)" =~ 3\.([0-9]|10)\.[0-9] ]]; then
        for name in python3.13 python3.12 python3.11; do
            if [[ -n "$(apt-cache madison "$name-venv" 2>/dev/null)" ]]; then
                python_packages=("$name" "$name-venv") && break
            fi
        done
    fi
    return 1
}

# Installs system packages: at once as root, after Enter for someone at a terminal, and otherwise not at all.
add_packages() {
    command -v apt-get >/dev/null || return 1
    if ((EUID == 0)); then
        say "Installing with apt: $*"
        apt_get install "$@" || { apt_get update && apt_get install "$@"; }
        return
    fi
    [[ -t 0 && -t 2 ]] && command -v sudo >/dev/null || return 1
    say "This is still missing on your system. Press Enter to install it, or Ctrl-C to stop:" \
        "    sudo apt-get install -y $*"
    read -r
    sudo apt-get install -y "$@" || { sudo apt-get update && sudo apt-get install -y "$@"; }
}

apt_get() {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" \
        </dev/null >/dev/null 2>&1
}

make_venv() {
    local output
    if [[ ! -e "$venv/.incomplete" ]] && "$python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        return
    fi
    if [[ -e "$venv" ]]; then
        say "Making the Python environment in .venv anew, because it is not whole"
    else
        say "Making a Python environment in .venv"
    fi
    output="$(rm -rf "$venv" && mkdir "$venv" && : >"$venv/.incomplete" && "$base_python" -m venv "$venv" 2>&1 \
        && rm "$venv/.incomplete")" || explain "The Python environment could not be made" "$output"
}

install_requirements() {
    local wanted file output count
    wanted="$(<"$root/requirements.txt")"
    [[ "$1" == requirements.txt ]] || wanted+=$'\n'"$(<"$root/$1")"
    count="$(grep -c '==' <<<"$wanted" || true)"
    say "Installing $count Python packages into .venv; the first time this takes a minute or two"
    if ! output="$(pip_install "$1")"; then
        [[ "$output" =~ $network_words ]] || explain "The Python packages could not be installed" "$output"
        say "The download did not work; trying once more"
        sleep 2
        output="$(pip_install "$1")" || explain "The Python packages could not be downloaded" "$output" \
            "Check the internet connection, then run \`./$command_name\` again"
    fi
    for file in requirements.txt "$1"; do
        cp "$root/$file" "$venv/.installing" && mv "$venv/.installing" "$venv/.installed-$file"
    done
}

pip_install() {
    PIP_USER=no "$python" -m pip install --quiet --no-input --disable-pip-version-check -r "$root/$1" 2>&1
}

# Ends with what went wrong in plain words: the headline, the tool's own output, and a remedy if there is one.
explain() {
    local headline="$1" output="$2" remedy="${3:-}"
    if [[ "$output" == *"No space left"* || "$output" == *"Disk quota exceeded"* ]] || is_full; then
        stop "$headline: the disk is full" "Make some room, then run \`./$command_name\` again"
    fi
    if [[ "$output" == *"Read-only file system"* || "$output" == *"Permission denied"* ]]; then
        stop "$headline: \`$root\` cannot be written to"
    fi
    say "$headline" ${remedy:+"$remedy"} "The last that was said:"
    { grep -i '^error' <<<"$output" || tail -n 5 <<<"$output"; } | cut -c -300 | sed 's/^/    /' >&2
    exit 1
}

# Not every tool passes on why it could not write.
is_full() {
    local free
    free="$(df --output=avail -k "$root" 2>/dev/null | tail -n 1)" && ((free < 20000))
}
