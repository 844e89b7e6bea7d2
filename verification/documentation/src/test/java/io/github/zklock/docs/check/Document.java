package io.github.zklock.docs.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Markdown file of the repository: its path from the root, with slashes, and its text. */
public record Document(String path, String text) {

    public static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private static final Set<String> NO_SOURCES = Set.of(".git", "target", "node_modules");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?) *#*");
    private static final Pattern MARKUP = Pattern.compile("!?\\[([^\\]]*)]\\([^)]*\\)");

    /** A fenced block: its language, the indexes of its two fences, and what stands between them. */
    public record Block(String language, int opens, int closes, List<String> content) {}

    /** All Markdown files that belong to the repository. */
    public static List<Document> all() {
        return files().stream()
                .filter(path -> path.endsWith(".md"))
                .map(Document::read)
                .toList();
    }

    /** The paths of all files of the repository, sorted, without those that builds write. */
    static SortedSet<String> files() {
        SortedSet<String> files = new TreeSet<>();
        FileVisitor<Path> visitor = new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NO_SOURCES.stream().anyMatch(folder::endsWith)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(ROOT.relativize(file).toString().replace('\\', '/'));
                return FileVisitResult.CONTINUE;
            }
        };
        try {
            Files.walkFileTree(ROOT, visitor);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    public static Document read(String path) {
        try {
            return new Document(path, Files.readString(ROOT.resolve(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void write() throws IOException {
        Files.writeString(ROOT.resolve(path), text);
    }

    public List<String> lines() {
        return text.lines().toList();
    }

    List<Block> blocks() {
        List<String> lines = lines();
        List<Block> blocks = new ArrayList<>();
        int opens = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).strip().startsWith("```")) {
                continue;
            }
            if (opens < 0) {
                opens = i;
            } else {
                String language = lines.get(opens).strip().substring(3).strip();
                blocks.add(new Block(language, opens, i, lines.subList(opens + 1, i)));
                opens = -1;
            }
        }
        return blocks;
    }

    List<Block> blocks(Set<String> languages) {
        return blocks().stream()
                .filter(block -> languages.contains(block.language()))
                .toList();
    }

    /** The lines outside of fenced blocks; those of the blocks are empty, so that the numbers stay. */
    List<String> prose() {
        List<String> prose = new ArrayList<>(lines());
        for (Block block : blocks()) {
            for (int i = block.opens(); i <= block.closes(); i++) {
                prose.set(i, "");
            }
        }
        return prose;
    }

    /** The texts of the headings, without the markup of links, code and emphasis. */
    List<String> headings() {
        return prose().stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading ->
                        MARKUP.matcher(heading.group(1)).replaceAll("$1").replaceAll("`|\\*\\*", ""))
                .toList();
    }

    /** Where something stands, as editors understand it. */
    String at(int index) {
        return path + ":" + (index + 1);
    }
}
