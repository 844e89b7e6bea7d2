package io.github.zklock.faults.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void guardOfOneThatEndsByItselfLeaves() throws InterruptedException {
        try (ChildProcess child = child("--version")) {
            assertThat(child.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();

            Awaitility.await("no guard")
                    .atMost(PATIENCE)
                    .until(() -> ProcessHandle.current().children().noneMatch(other -> isGuardOf(child, other)));
            assertThatThrownBy(child::pause)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("child gets no STOP");
        }
    }

    @Test
    void oneThatIsPausedIsEnded() {
        ChildProcess child = child(Sleeper.class.getName());
        child.pause();

        child.close();
        assertThat(child.isAlive()).isFalse();
    }

    private ChildProcess child(String main) {
        Jvm jvm = Jvm.of(Java.own(), List.of(), List.of());
        return ChildProcess.start("child", jvm, folder.resolve("child.log"), Redirect.DISCARD, List.of(main));
    }

    private static boolean isGuardOf(ChildProcess child, ProcessHandle other) {
        return other.info()
                .commandLine()
                .orElse("")
                .endsWith("guard " + child.process().pid());
    }

    /** Lives for longer than any test. */
    static final class Sleeper {

        private Sleeper() {}

        public static void main(String[] args) throws InterruptedException {
            TimeUnit.HOURS.sleep(1);
        }
    }
}
