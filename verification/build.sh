# Sourced by the `run` scripts of the modules: finds a JDK and builds what they run.

modules=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
command -v "$java" >/dev/null || { echo "run: there is no $java; install a JDK 17 or later" >&2; exit 1; }

# build MODULE [MODULE...]: sets $classpath to the class path of the first module, which uses the others. Builds with Maven
# unless nothing has changed since.
build() {
  local list=$modules/$1/target/run.classpath maven
  if [ ! -s "$list" ] || [ -n "$(changed_since "$list" "$@")" ]; then
    command -v mvn >/dev/null || { echo "run: there is no mvn; install Maven 3.8.7 or later" >&2; exit 1; }
    echo "building" >&2
    # each module gets a list, in its own target folder
    mvn -B -ntp -q -f "$modules/../pom.xml" -pl "verification/$1" -am process-test-classes dependency:build-classpath \
      -DincludeScope=runtime -Dmdep.outputFile=target/run.libraries >&2 </dev/null &
    maven=$!
    # a signal that ends this script also ends the build
    trap 'kill "$maven" 2>/dev/null; exit 130' INT TERM HUP
    wait "$maven" || { echo "run: the build failed" >&2; exit 1; }
    trap - INT TERM HUP
    # a later change makes a source newer than this file
    echo "$modules/$1/target/classes:$(cat "$modules/$1/target/run.libraries")" >"$list"
  fi
  classpath=$(cat "$list")
}

changed_since() { # changed_since FILE MODULE...: a source, resource or POM of the library or of these modules
  local file=$1 module
  local sources=("$modules"/../pom.xml "$modules"/../zk-lock-*/{pom.xml,src})
  for module in "${@:2}"; do
    sources+=("$modules/$module"/{pom.xml,src})
  done
  find "${sources[@]}" -newer "$file" 2>/dev/null | head -1
}
