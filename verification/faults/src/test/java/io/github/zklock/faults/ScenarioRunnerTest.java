package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.Jvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScenarioRunnerTest {

    @TempDir
    Path folder;

    @Test
    void oneProcessUsesAFolderAtATime() throws IOException {
        try (ChildProcess first = run()) {
            assertThat(answerOf(first)).isEqualTo("true");
            try (ChildProcess second = run()) {
                assertThat(answerOf(second)).isEqualTo("false");
            }
        }
        try (ChildProcess third = run()) {
            assertThat(answerOf(third)).isEqualTo("true");
        }
    }

    private ChildProcess run() {
        Jvm jvm = Jvm.of(Jdk.own(), List.of(), List.of());
        List<String> mainAndArgs = List.of(Run.class.getName(), folder.toString());
        return ChildProcess.start("run", jvm, folder.resolve("run.log"), Redirect.PIPE, mainAndArgs);
    }

    private static String answerOf(ChildProcess run) throws IOException {
        return run.process().inputReader().readLine();
    }

    /** Prints whether it has reserved the folder, and then runs for longer than any test. */
    static final class Run {

        private Run() {}

        public static void main(String[] args) throws InterruptedException {
            System.out.println(ScenarioRunner.acquireFolder(Path.of(args[0])));
            TimeUnit.HOURS.sleep(1);
        }
    }
}
