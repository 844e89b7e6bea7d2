package io.github.zklock.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChildProcessTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void guardEndsWithItsProcess() throws InterruptedException {
        try (ChildProcess child = child("--version")) {
            assertThat(child.process().waitFor(MAX_WAIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();

            Awaitility.await("no guard")
                    .atMost(MAX_WAIT)
                    .until(() -> ProcessHandle.current().children().noneMatch(other -> isGuardOf(child, other)));
            assertThatThrownBy(child::pause)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("child gets no STOP");
        }
    }

    @Test
    void pausedProcessIsKilled() {
        ChildProcess child = child(Sleeper.class.getName());
        child.pause();

        child.close();
        assertThat(child.isAlive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noneOutlivesItsParent(boolean withoutAWord) throws IOException {
        try (ChildProcess parent = child(Redirect.PIPE, Parent.class.getName(), folder.toString())) {
            long pid = Long.parseLong(parent.process().inputReader().readLine());
            ProcessHandle grandchild = ProcessHandle.of(pid).orElseThrow();

            if (withoutAWord) {
                parent.process().destroyForcibly();
            } else {
                parent.process().destroy();
            }
            Awaitility.await("the end of one that is paused").atMost(MAX_WAIT).until(() -> !grandchild.isAlive());
        }
    }

    private ChildProcess child(String main) {
        return child(Redirect.DISCARD, main);
    }

    private ChildProcess child(Redirect output, String... mainAndArgs) {
        return start(folder, output, mainAndArgs);
    }

    private static ChildProcess start(Path folder, Redirect output, String... mainAndArgs) {
        Jvm jvm = Jvm.of(Jdk.own(), List.of(), List.of());
        return ChildProcess.start("child", jvm, folder.resolve("child.log"), output, List.of(mainAndArgs));
    }

    private static boolean isGuardOf(ChildProcess child, ProcessHandle other) {
        return other.info()
                .commandLine()
                .orElse("")
                .endsWith("guard " + child.process().pid());
    }

    /** Starts and pauses another process, prints its id, and runs for as long. */
    static final class Parent {

        private Parent() {}

        public static void main(String[] args) throws InterruptedException {
            ChildProcess child = start(Path.of(args[0]), Redirect.DISCARD, Sleeper.class.getName());
            child.pause();
            System.out.println(child.process().pid());
            Sleeper.main(args);
        }
    }

    /** Runs for longer than any test. */
    static final class Sleeper {

        private Sleeper() {}

        public static void main(String[] args) throws InterruptedException {
            TimeUnit.HOURS.sleep(1);
        }
    }
}
