package io.github.zklock.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Builds a project by a separate Maven, with the artifacts of zk-lock that are installed in the local repository. */
final class Maven {

    /** The system property that asks for builds by Maven. Install zk-lock first: {@code mvn -q -DskipTests install}. */
    static final String INSTALLED = "zklock.installed";

    private Maven() {}

    static void build(Path project) throws IOException, InterruptedException {
        Path log = project.resolve("build.log");
        Process maven = new ProcessBuilder(List.of("mvn", "-q", "-B", "package"))
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();

        int exit = maven.waitFor();
        assertThat(exit).as(Files.readString(log)).isZero();
    }
}
