# SPDX-License-Identifier: Apache-2.0
# What the scripts share that run our own programs against each other. Needs $root.

# Each JVM ends before the optimizing compiler pays off.
export QUEUEPAIR_JAVA_OPTS=${QUEUEPAIR_JAVA_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}

# Builds on first use. The programs of the tests are in $classes.
build_ours() {
  "$root/bin/queuepair" --version >/dev/null
  classes=$root/tests/target/test-classes
  [ -f "$classes/io/queuepair/tests/interop/MulticastPeer.class" ] \
    || (cd "$root" && mvn -q -B -Dquick -DskipTests -Dmaven.javadoc.skip=true -pl tests -am package)
}

check_capture() { # FILE    the ICRC of every packet, computed over the headers that were captured
  local counts
  counts=$("$root/bin/queuepair" decode "$1" | tail -n 1)
  echo "$counts"
  [[ $counts =~ ^packets=[1-9][0-9]*\ icrc_ok=[0-9]+\ icrc_bad=0\ malformed=0\  ]]
}

newest_jdk() { # a JDK of 19 or newer, for NIO; empty if there is none
  local home
  for home in ${JAVA_HOME:-} /usr/lib/jvm/*; do
    [ -x "$home/bin/java" ] || continue
    local major
    major=$("$home/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.specification.version = \([0-9]*\).*/\1/p')
    [ "${major:-0}" -ge 19 ] && { echo "$home"; return; }
  done
  return 0
}

wait_until() { # SECONDS COMMAND...
  local end=$((SECONDS + $1)); shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

captures() { [ -s "$1" ]; }
