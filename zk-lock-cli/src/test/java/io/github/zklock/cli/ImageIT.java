package io.github.zklock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The image of {@code zk-lock}, on the Java of the Dockerfile, or else on one cut out of the JDK of this test. */
@Tag("docker")
@EnabledIfSystemProperty(named = "zklock.file", matches = ".+", disabledReason = "runs after the phase package")
class ImageIT {

    private static final String JAVA = "eclipse-temurin:21-jre";

    /** Has a shell, and the libraries that Java needs. */
    private static final String SHELL = "zookeeper:3.9";

    private static final String LOCAL_JAVA = "zk-lock-java:test";
    private static final String IMAGE = "zk-lock:test";

    @TempDir
    private Path folder;

    @Test
    void imageStartsWithItsArchiveAsAnyUser() throws Exception {
        assumeTrue(succeeds("docker", "info"), "no Docker engine answers");
        String java = java();
        Path module = Path.of(System.getProperty("zklock.file")).getParent().getParent();

        done("docker", "build", "--build-arg", "JAVA=" + java, "-t", IMAGE, module.toString());

        assertThat(done("docker", "run", "--rm", "--read-only", IMAGE, "--version"))
                .startsWith("zk-lock ");
        String loaded = done(
                "docker",
                "run",
                "--rm",
                "--user",
                "12345",
                "--env",
                "ZK_LOCK_JAVA_OPTS=-Xlog:class+load:stdout",
                IMAGE,
                "--version");
        assertThat(loaded.lines().filter(line -> line.contains("io.github.zklock.cli.ZkLock source")))
                .singleElement()
                .asString()
                .contains("shared objects file (top)");
    }

    /** Returns an image with Java. */
    private String java() throws Exception {
        if (succeeds("docker", "image", "inspect", JAVA)) {
            return JAVA;
        }
        assumeTrue(
                succeeds("docker", "image", "inspect", SHELL),
                "neither the image " + JAVA + " nor " + SHELL + ", which .ci/docker builds, is there");
        Path image = Files.createDirectory(folder.resolve("image"));
        done(
                System.getProperty("java.home") + "/bin/jlink",
                "--output",
                image.resolve("java").toString(),
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--add-modules",
                "java.se,jdk.crypto.ec,jdk.unsupported");
        Files.writeString(image.resolve("Dockerfile"), """
                FROM %s
                ENTRYPOINT []
                USER 0
                COPY java /opt/jre
                ENV PATH=/opt/jre/bin:/bin JAVA_HOME=/opt/jre
                RUN /opt/jre/bin/java -Xshare:dump && [ -e /bin/readlink ] || /bin/busybox ln -s busybox /bin/readlink
                """.formatted(SHELL));
        done("docker", "build", "-t", LOCAL_JAVA, image.toString());
        return LOCAL_JAVA;
    }

    private boolean succeeds(String... command) throws IOException, InterruptedException {
        try {
            return start(command).waitFor() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }

    /** Runs a command, and returns what it prints. */
    private String done(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        String printed = Files.readString(folder.resolve("printed"), StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s: %s", List.of(command), printed).isZero();
        return printed;
    }

    private Process start(String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
    }
}
