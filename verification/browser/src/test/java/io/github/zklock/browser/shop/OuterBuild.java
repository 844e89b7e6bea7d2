package io.github.zklock.browser.shop;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The build that runs these tests, as far as another one must be like it: its Maven, repository, settings and mode. */
final class OuterBuild {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private OuterBuild() {}

    static Path root() {
        return ROOT;
    }

    /** That of {@code MAVEN_HOME}, or the first one on the path. */
    static Optional<Path> maven() {
        Stream<String> home = Stream.ofNullable(System.getenv("MAVEN_HOME")).map(folder -> folder + "/bin");
        Stream<String> path = Stream.ofNullable(System.getenv("PATH"))
                .flatMap(folders -> Arrays.stream(folders.split(Pattern.quote(File.pathSeparator))));
        return Stream.concat(home, path)
                .map(folder -> Path.of(folder, "mvn"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Options for a Maven that finds what this one has found, and asks nobody whom this one does not ask. */
    static List<String> options() {
        List<String> options = new ArrayList<>();
        Optional.ofNullable(System.getProperty("localRepository"))
                .ifPresent(repository -> options.add("-Dmaven.repo.local=" + repository));
        Iterator<String> given = Arrays.asList(Optional.ofNullable(System.getenv("MAVEN_CMD_LINE_ARGS"))
                        .orElse("")
                        .trim()
                        .split("\\s+"))
                .iterator();
        while (given.hasNext()) {
            String option = given.next();
            switch (option) {
                case "-o", "--offline" -> options.add("-o");
                case "-s", "--settings", "-gs", "--global-settings" -> {
                    options.add(option);
                    options.add(ROOT.resolve(given.next()).toString());
                }
                default -> {}
            }
        }
        return options;
    }
}
