package io.github.zklock.browser.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A copy of the sources as a clone has them: the files that git tracks; without git, all but what a build makes. */
final class CleanCopy {

    private static final Set<String> NOT_SOURCES = Set.of(".git", "target");

    private CleanCopy() {}

    static void of(Path root, Path copy) throws IOException, InterruptedException {
        delete(copy);
        List<Path> files = Files.exists(root.resolve(".git")) ? tracked(root) : allBut(root);
        for (Path file : files) {
            Path source = root.resolve(file);
            if (Files.isRegularFile(source)) {
                Files.createDirectories(copy.resolve(file).getParent());
                Files.copy(source, copy.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static List<Path> tracked(Path root) throws IOException, InterruptedException {
        Process git;
        try {
            git = new ProcessBuilder("git", "-c", "safe.directory=*", "ls-files", "-z")
                    .directory(root.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noGit) {
            return allBut(root);
        }
        try (InputStream answer = git.getInputStream()) {
            String names = new String(answer.readAllBytes(), UTF_8);
            return git.waitFor() == 0
                    ? Arrays.stream(names.split("\0")).map(Path::of).toList()
                    : allBut(root);
        }
    }

    private static List<Path> allBut(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.map(root::relativize).filter(CleanCopy::isSource).toList();
        }
    }

    private static boolean isSource(Path file) {
        for (Path part : file) {
            if (NOT_SOURCES.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
