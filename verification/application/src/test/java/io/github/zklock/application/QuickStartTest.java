package io.github.zklock.application;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.fixture.LocalZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick start of the README: its lines for Maven and Gradle, and an application that is made of its blocks. */
class QuickStartTest {

    private static final String WORK = "        // in all instances together, one thread at a time runs this\n";

    @TempDir
    private Path folder;

    private Page page = new Page("");

    @BeforeEach
    void readPage() throws IOException {
        page = Page.named("README.md");
    }

    @Test
    void theLinesForGradleNameTheArtifactsOfThoseForMaven() {
        String maven = page.blocks("xml").findFirst().orElseThrow();
        String version = Page.first("<version>(.*?)</", maven);

        assertThat(page.blocks("gradle").findFirst().orElseThrow().strip().lines())
                .containsExactly(
                        "implementation(platform(\"io.github.zklock:zk-lock-bom:" + version + "\"))",
                        "implementation(\"io.github.zklock:zk-lock-spring-boot-starter\")");
        assertThat(maven)
                .contains("<artifactId>zk-lock-bom</artifactId>")
                .contains("<artifactId>zk-lock-spring-boot-starter</artifactId>");
    }

    @Test
    @Tag("processes")
    void twoInstancesTakeTurns() throws Exception {
        try (LocalZooKeeper server = new LocalZooKeeper();
                Project project = new Project(folder, "com.example.Application", List.of())) {
            write(project);
            project.build();
            for (int i = 0; i < 2; i++) {
                project.start(List.of(
                        "--zk.lock.connect-string=" + server.connectString(),
                        "--logging.level.root=off", // only the lines of the method
                        "--spring.main.banner-mode=off"));
            }
            for (Process instance : project.instances()) {
                assertThat(instance.waitFor()).as(project.printed()).isZero();
            }

            assertTurns(project.printed());
        }
    }

    /** Each of twenty runs ends before the next one begins. */
    private static void assertTurns(String printed) {
        List<String> lines = printed.lines()
                .filter(line -> line.matches("(begins|ends) \\d+"))
                .toList();
        assertThat(lines).hasSize(40);
        for (int i = 0; i < lines.size(); i += 2) {
            assertThat(lines.get(i)).isEqualTo(lines.get(i + 1).replace("ends", "begins"));
        }
        assertThat(lines.stream().distinct()).as("lines of two processes").hasSize(4);
    }

    private void write(Project project) throws IOException {
        String parent = Files.readString(Path.of("..", "..", "pom.xml"), UTF_8);
        project.write("pom.xml", """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <parent>
                    <groupId>org.springframework.boot</groupId>
                    <artifactId>spring-boot-starter-parent</artifactId>
                    <version>%s</version>
                    <relativePath/>
                  </parent>
                  <groupId>com.example</groupId>
                  <artifactId>quickstart</artifactId>
                  <version>1.0</version>
                %s
                  <build>
                    <plugins>
                      <plugin>
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-maven-plugin</artifactId>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(
                        Page.first("<spring-boot.version>(.*?)</", parent),
                        page.blocks("xml").findFirst().orElseThrow()));
        project.write(
                "src/main/resources/application.yml",
                page.blocks("yaml").findFirst().orElseThrow());
        String service = page.blocks("java").findFirst().orElseThrow();
        assertThat(service).contains(WORK);
        project.write("src/main/java/com/example/OrderStatistics.java", """
                package com.example;

                """ + service.replace(WORK, """
                        System.out.println("begins " + ProcessHandle.current().pid());
                        java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
                        System.out.println("ends " + ProcessHandle.current().pid());
                """));
        project.write("src/main/java/com/example/Application.java", """
                package com.example;

                import org.springframework.boot.ApplicationRunner;
                import org.springframework.boot.SpringApplication;
                import org.springframework.boot.autoconfigure.SpringBootApplication;
                import org.springframework.context.annotation.Bean;

                @SpringBootApplication
                public class Application {

                    public static void main(String[] args) {
                        SpringApplication.run(Application.class, args).close();
                    }

                    @Bean
                    ApplicationRunner runs(OrderStatistics statistics) {
                        return arguments -> {
                            for (int i = 0; i < 10; i++) {
                                statistics.recompute();
                            }
                        };
                    }
                }
                """);
    }
}
