#!/usr/bin/env bash
# Shows contactbook at work, and fails if something expected is not seen.
# Build first: swift build. CONTACTBOOK names another program than the debug build.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
contactbook=${CONTACTBOOK:-$here/.build/debug/contactbook}
if [[ ! -x $contactbook ]]; then
    echo "demo: $contactbook is missing; run 'swift build' in $here first" >&2
    exit 1
fi

# The program may be named from where the caller stands.
contactbook=$(cd "$(dirname "$contactbook")" && pwd)/$(basename "$contactbook")
cd "$here"

work=$(mktemp -d)
watcher=""
cleanup() {
    if [[ -n $watcher ]]; then kill "$watcher" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

book=(--file "$work/demo.sqlite")

fail() {
    echo "demo: $*" >&2
    exit 1
}

title() {
    printf '\n== %s\n' "$*"
}

# Runs a command in front of the audience and keeps what it printed in $shown.
run() {
    printf '$ contactbook'
    printf ' %q' "$@"
    printf '\n'
    shown=$("$contactbook" "$@" "${book[@]}") || fail "'contactbook $*' ended with $?"
    printf '%s\n' "$shown"
}

expect() {
    [[ $shown == *"$1"* ]] || fail "expected to see '$1'"
}

# Waits until the watcher has printed a text; at most two minutes.
await() {
    local tries
    for ((tries = 0; tries < 1200; tries++)); do
        if grep -qF -- "$1" "$work/watch.txt" 2>/dev/null; then return; fi
        kill -0 "$watcher" 2>/dev/null || break
        sleep 0.1
    done
    grep -qF -- "$1" "$work/watch.txt" && return
    fail "watch did not show '$1' in time"
}

title "Import the sample"
run import sample/contacts.csv
expect "Imported 118 contacts (118 new, 0 changed)"

title "Import it again: nothing is added twice"
run import sample/contacts.csv
expect "(0 new, 0 changed, 118 unchanged)"

title "List"
run list --limit 12
expect "Ada Quill"
run list --sort birthday --limit 5

title "Search: case and accents do not matter"
run search novakova
expect "Hana Nováková"
run search полякова
expect "Марина"

title "Groups"
id_of() { "$contactbook" search "$1" --json "${book[@]}" | sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' | head -n 1; }
hana=$(id_of novakova)
ada=$(id_of "ada quill")
run group Choir "$hana" "$ada"
expect "In Choir: Hana Nováková"
run groups choir
expect "Ada Quill"

title "The call log"
run call "$ada" --seconds 320 --at 2026-11-23T18:05:00Z
run call "$hana" --direction missed --at 2026-11-24T09:30:00Z
run calls
expect "2026-11-24T09:30:00Z  Hana Nováková"
expect "1 call, 1 missed"
run groups
expect "Choir  2, last call 2026-11-24T09:30:00Z"
run show "$ada"
expect "Groups:       Choir"
expect "2026-11-23T18:05:00Z outgoing, 320 s"

title "Birthdays of a month"
run birthdays --month 12

title "Numbers"
run stats
expect "Contacts       118"
expect "Next birthdays"

title "A wrong file says where"
printf 'Name,Birthday\nSomebody,2020-13-45\n' >"$work/wrong.csv"
status=0
"$contactbook" import "${book[@]}" "$work/wrong.csv" 2>"$work/error.txt" || status=$?
sed "s|$work/||" "$work/error.txt"
[[ $status == 1 ]] || fail "expected exit code 1, got $status"
grep -qF "wrong.csv:2: column 'Birthday': '2020-13-45' is not a date" "$work/error.txt" || fail "expected the line of the error"

title "Watch in one process what another one does"
"$contactbook" watch "${book[@]}" --sort created --descending --limit 2 --for-changes 3 >"$work/watch.txt" &
watcher=$!
await "118 contacts"
run add --name "Nova Rivers" --email nova@example.com
expect "Added Nova Rivers"
await "119 contacts"
id=$(sed -n 's/.*(\([0-9a-f]*\)).*/\1/p' <<<"$shown")
run favorite "$id"
await "$id  ★"
for ((tries = 0; tries < 1200; tries++)); do
    kill -0 "$watcher" 2>/dev/null || break
    sleep 0.1
done
kill -0 "$watcher" 2>/dev/null && fail "watch did not end after three lists"
wait "$watcher" || fail "watch ended with $?"
watcher=""
echo "What the watching process printed:"
sed 's/^/  | /' "$work/watch.txt"

title "Done"
