# What a target does before the worker is there: it looks at itself, takes files, and starts the worker.
# Read by any POSIX shell from its standard input. `root` was set before; a line of words is a command.
# A login's start files may have exported options of the shell (SHELLOPTS), which a bash that is called sh takes over.
set +e +u +f +C
unset CDPATH
hashing=
trying=
export LC_ALL=C
umask 077
case $root in
  /*) ;;
  '~') root=$HOME ;;
  '~/'*) root=$HOME/${root#'~/'} ;;
  *) root=$HOME/$root ;;
esac

say() { printf '%s\n' "$*"; }
row() { printf '%s\t%s\n' "$1" "$2"; }
first() { head -n 1 | tr -d '\r\t'; }
# name length: is it so many hexadecimal digits, as everything is called that is ours?
ours() {
  case $1 in *[!0-9a-f]*) return 1 ;; esac
  [ ${#1} -eq "$2" ]
}

# seconds program…: it is ended after that time. A disk on the network that is away, or a driver that hangs, keeps a program for ever.
limited() {
  seconds=$1
  shift
  if command -v timeout >/dev/null 2>&1; then timeout -s KILL "$seconds" "$@"; else "$@"; fi
}

# What decides whether the worker can be put here.
suited() {
  row system "$(uname -s) $(uname -m)"
  row glibc "$(getconf GNU_LIBC_VERSION 2>/dev/null | first)"
  # Not by `:`, with which a shell ends where it may not write.
  if said=$({ mkdir -p "$root" && touch "$root/.writable"; } 2>&1); then
    rm -f "$root/.writable"
    row folder "$root"
  else
    case $said in
      *'No space left'* | *'uota exceeded'*) row full "$root" ;;
      *) row unwritable "$root" ;;
    esac
  fi
  there=$root
  while [ ! -d "$there" ] && [ "$there" != / ]; do there=$(dirname "$there"); done
  disk=$(limited "${patience:-20}" df -Pk "$there" 2>/dev/null | awk 'NR == 2 { print $4, $1 }')
  row disk "${disk%% *}"
  # That of the folder's own file system, and of no other.
  row quota "$(limited "${patience:-20}" quota -w 2>/dev/null | awk -v device="${disk#* }" '$1 == device && $4 > 0 { print $2, $4; exit }')"
  limited "${patience:-20}" nvidia-smi --query-gpu=name,memory.total,driver_version,compute_cap --format=csv,noheader 2>/dev/null |
    while IFS= read -r line; do row gpu "$line"; done
}

look() {
  suited
  row release "$( (. /etc/os-release && echo "$PRETTY_NAME") 2>/dev/null | first)"
  row filesystem "$(limited "${patience:-20}" df -PT "$there" 2>/dev/null | awk 'NR == 2 { print $2 }')"
  [ -e /proc/driver/nvidia/version ] && row driver "$(first </proc/driver/nvidia/version)"
  row processors "$(getconf _NPROCESSORS_ONLN 2>/dev/null)"
  row memory "$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo 2>/dev/null)"
  command -v sbatch >/dev/null 2>&1 && row slurm "$(sbatch --version 2>/dev/null | first)"
  command -v sinfo >/dev/null 2>&1 &&
    row partitions "$(timeout 10 sinfo -h -o '%P %l %a' 2>/dev/null | tr '\n' ';')"
  command -v qsub >/dev/null 2>&1 && row pbs "$(command -v qsub)"
  row clock "$(date +%s)"
  for tool in sha256sum dd awk; do command -v "$tool" >/dev/null 2>&1 || row lacks "$tool"; done
  for version in "$root"/versions/*/; do
    # One that is not in its place yet, or made room for another, is none.
    [ -f "$version/whole" ] && ours "$(basename "$version")" 16 && row version "$(basename "$version")"
  done
  for job in "$root"/jobs/*/; do
    if ours "$(basename "$job")" 32; then row jobs there && break; fi
  done
  row end ''
}

# folder: how much it takes of the disk, in KiB; "?" if that was not found out. All folders together are measured until
# `ends`, in seconds of the clock; what is left over then is not known.
size() {
  left=$((ends - $(date +%s)))
  [ "$left" -gt "${patience:-60}" ] && left=${patience:-60}
  taken=
  # One that is cut off has told nothing.
  [ "$left" -gt 0 ] && taken=$(limited "$left" du -sk "$1" 2>/dev/null | awk 'NR == 1 { print $1 }')
  case $taken in
    '' | *[!0-9]*) say '?' ;;
    *) say "$taken" ;;
  esac
}

# all part: what is left without the part; "?" if one of them is not known, or both changed between the measurements.
rest() {
  case $1$2 in
    *'?'*) say '?' ;;
    *) if [ "$1" -ge "$2" ]; then say $(($1 - $2)); else say '?'; fi ;;
  esac
}

# What is kept here, by kind; of a run its bundle and its checkpoints apart, and whether its results were fetched.
kept() {
  ends=$(($(date +%s) + ${all_patience:-300}))
  row folder "$root"
  for version in "$root"/versions/*/; do
    name=$(basename "$version")
    ours "${name%%.*}" 16 && row worker "$(size "$version") $name"
  done
  for model in "$root"/models/*/; do
    name=$(basename "$model")
    ours "${name%%.*}" 64 && row model "$(size "$model") $(ls "$model" 2>/dev/null | first)"
  done
  for job in "$root"/jobs/*/; do
    name=$(basename "$job")
    ours "${name%%.*}" 32 || continue
    fetched=no
    [ -f "$job/fetched" ] && fetched=yes
    all=$(size "$job")
    saved=0
    [ -d "$job/checkpoints" ] && saved=$(size "$job/checkpoints")
    row bundle "$(rest "$all" "$saved") $fetched $name"
    row checkpoints "$saved $fetched $name"
  done
  # What something was made of has a second name there.
  row coming "$(ls -ln "$root/blobs" "$root/parts" 2>/dev/null |
    awk '$2 == 1 && length($9) == 64 { bytes += $5 } END { printf "%d", bytes / 1024 }')"
  row end ''
}

# sha → how many bytes of it are there, or "all"
have() {
  if [ -f "$root/blobs/$1" ]; then say have all
  elif [ -f "$root/parts/$1" ]; then say have "$(($(wc -c <"$root/parts/$1")))"
  else say have 0; fi
}

# sha offset count: so many bytes follow on standard input. Their file is hashed while the next one comes.
put() {
  part=$root/parts/$1
  if ! said=$(mkdir -p "$root/parts" "$root/blobs" 2>&1 &&
    dd of="$part" bs=1048576 seek="$2" count="$3" iflag=fullblock,count_bytes oflag=seek_bytes conv=notrunc 2>&1); then
    # dd counts what it wrote below what it complains of.
    say failed "$(printf '%s\n' "$said" | grep -v -e 'records [io]' -e ' copied, ' | tail -n 1)"
    exit 1
  fi
  hashed "$part" >"$part.$$" 2>/dev/null </dev/null &
  hashing="$hashing $!"
  say put
}

# file: the SHA-256 of its content. openssl, where a target has it, uses what the processor has for that.
hashed() {
  sum=$(openssl dgst -sha256 -r <"$1" 2>/dev/null | cut -c 1-64)
  if ours "$sum" 64; then say "$sum"; else sha256sum <"$1" | cut -c 1-64; fi
}

# sha: is what came what it should be?
whole() {
  # Not for the worker that is tried meanwhile, which may hang.
  [ -z "$hashing" ] || wait $hashing
  hashing=
  sum=
  [ ! -f "$root/parts/$1.$$" ] || { read -r sum <"$root/parts/$1.$$"; rm -f "$root/parts/$1.$$"; }
  ours "$sum" 64 || sum=$(hashed "$root/parts/$1")
  if [ "$sum" = "$1" ] && mv -f "$root/parts/$1" "$root/blobs/$1"; then say whole
  else
    rm -f "$root/parts/$1"
    say different
  fi
}

# sha version path kind. What is not compared yet is given its place, too: it is another name of the same file.
link() {
  to=$root/versions/$2.new/$3
  from=$root/blobs/$1
  [ -f "$from" ] || from=$root/parts/$1
  if said=$({ [ -d "${to%/*}" ] || mkdir -p "${to%/*}"; } 2>&1 && { ln -f "$from" "$to" 2>/dev/null || cp -f "$from" "$to" 2>&1; } &&
    { [ "$4" != program ] || chmod 700 "$to"; }); then say linked
  else say failed "$said"; fi
}

# folder of a version: what its worker says of itself
starts() {
  LD_LIBRARY_PATH=$1/libtorch/lib "$1/lexforge-worker" --version --json 2>&1 </dev/null |
    tr -d '\r\n'
  say ''
}

# version: its worker is started where its files are linked, while they are hashed. `tried` tells what it said.
try() {
  starts "$root/versions/$1.new" >"$root/versions/$1.tried" 2>/dev/null </dev/null &
  trying=$!
  say try
}
tried() {
  wait "$trying"
  # A line always comes: on a full disk the file may be there and empty.
  say "$(cat "$root/versions/$1.tried" 2>/dev/null)"
  rm -f "$root/versions/$1.tried"
}

# version: its folder gets its name. One that is there already is in use, perhaps, or waits for its jobs in a queue: it makes
# room at once and is removed after that.
name() {
  rm -rf "${root:?}/versions/$1.old"
  if touch "$root/versions/$1.new/whole" 2>/dev/null && { [ ! -d "$root/versions/$1" ] || mv "$root/versions/$1" "$root/versions/$1.old"; } &&
    mv "$root/versions/$1.new" "$root/versions/$1"; then
    rm -rf "${root:?}/versions/$1.old"
    say named
  else say failed "the folder cannot be renamed"; fi
}

# version: the worker in the place of this shell
station() {
  worker=$root/versions/$1/lexforge-worker
  if [ ! -f "$root/versions/$1/whole" ]; then
    say "lexforge: no such version" >&2
    exit 9
  fi
  LD_LIBRARY_PATH=$root/versions/$1/libtorch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
  exec "$worker" stdio --folder "$root"
}

version() { starts "$root/versions/$1"; }

# version. What came lately and has no place yet is just being sent over another connection, and stays.
erase() {
  coming=$(find "$root/blobs" -type f -links 1 -mtime 0 2>/dev/null)
  rm -rf "${root:?}/versions/$1" "${root:?}/versions/$1.new" "${root:?}/versions/$1.old" "${root:?}/versions/$1.tried"
  for blob in "$root"/blobs/*; do
    if [ -f "$blob" ] && [ "$(stat -c %h "$blob" 2>/dev/null)" = 1 ]; then
      case $coming in *"$blob"*) ;; *) rm -f "$blob" ;; esac
    fi
  done
  find "$root/parts" -type f -mtime +0 -exec rm -f {} + 2>/dev/null
  say erased
}

# The user may have named a folder in which there is more: only what is called by a hash or an id goes.
everything() {
  for of in versions:16 blobs:64 parts:64 models:64 jobs:32; do
    folder=$root/${of%:*}
    for path in "$folder"/*; do
      name=${path##*/}
      if ours "${name%%.*}" "${of#*:}"; then rm -rf "$path"; fi
    done
    rmdir "$folder" 2>/dev/null
  done
  rmdir "$root" 2>/dev/null
  say erased
}

serve() {
  printf '\000lexforge shell\001\n'
  while IFS=' ' read -r verb a b c d; do
    case $verb in
      suited)
        suited
        row end ''
        ;;
      look) look ;;
      kept) kept ;;
      have) have "$a" ;;
      put) put "$a" "$b" "$c" ;;
      whole) whole "$a" ;;
      link) link "$a" "$b" "$c" "$d" ;;
      try) try "$a" ;;
      tried) tried "$a" ;;
      name) name "$a" ;;
      station) station "$a" ;;
      version) version "$a" ;;
      erase) erase "$a" ;;
      everything) everything ;;
      *) say failed "unknown: $verb" ;;
    esac
  done
  exit 0
}
serve
