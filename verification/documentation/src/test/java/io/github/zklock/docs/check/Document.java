package io.github.zklock.docs.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A Markdown file of the repository: its path from the root, with slashes, and its text. */
public record Document(String path, String text) {

    public static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    /** A fenced block: its language, the indexes of its two fences, and what stands between them. */
    public record Block(String language, int opens, int closes, List<String> content) {}

    /** All Markdown files that belong to the repository. */
    public static List<Document> all() {
        try (Stream<Path> files =
                Files.find(ROOT, 12, (file, attributes) -> file.toString().endsWith(".md"))) {
            return files.map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
                    .filter(Document::belongsToTheRepository)
                    .sorted()
                    .map(Document::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    /** Where something stands, as editors understand it. */
    String at(int index) {
        return path + ":" + (index + 1);
    }

    private static boolean belongsToTheRepository(String path) {
        return Stream.of(path.split("/"))
                .noneMatch(segment ->
                        segment.startsWith(".") || segment.equals("target") || segment.equals("node_modules"));
    }
}
