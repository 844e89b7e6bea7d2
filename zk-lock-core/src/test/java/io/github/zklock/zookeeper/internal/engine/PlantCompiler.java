package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlants.Edit;
import io.github.zklock.zookeeper.internal.engine.SimPlants.Plant;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles, in memory, those sources of the engine that a planted bug changes. */
final class PlantCompiler {

    /** As the core's own build: processes of other JDKs than this one's run the classes, too. */
    private static final String RELEASE = "17";

    /** The engine's package, in which and below which its sources stand. */
    static final String PACKAGE = "io.github.zklock.zookeeper";

    private final Path sources;

    /** @param root the folder of the core's sources, in which the one of its topmost package stands */
    PlantCompiler(Path root) {
        this.sources = root.resolve(PACKAGE.replace('.', '/'));
    }

    /** The classes of all sources that the bug changes, by their names. */
    Map<String, byte[]> compile(Plant plant) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
            InMemory files = new InMemory(standard);
            List<String> options = List.of(
                    "--release", RELEASE, "-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
            List<Source> units = planted(plant).entrySet().stream()
                    .map(each -> new Source(each.getKey(), each.getValue()))
                    .toList();
            if (!compiler.getTask(messages, files, null, options, null, units).call()) {
                throw new IllegalStateException("Plant '" + plant.name() + "' does not compile:\n" + messages);
            }
            Map<String, byte[]> classes = new HashMap<>();
            files.written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }

    private Map<String, String> planted(Plant plant) throws IOException {
        Map<String, String> changed = new HashMap<>();
        for (Edit edit : plant.edits()) {
            String path = pathOf(edit.file());
            String before = changed.containsKey(path) ? changed.get(path) : Files.readString(sources.resolve(path));
            changed.put(path, edited(plant, edit, before));
        }
        return changed;
    }

    /** The path below the engine's package of the one source of this name. */
    private String pathOf(String file) throws IOException {
        try (Stream<Path> all = Files.walk(sources)) {
            List<Path> named = all.filter(path -> path.endsWith(file)).toList();
            if (named.size() != 1) {
                throw new IllegalStateException(named.size() + " sources of the engine are called " + file);
            }
            return sources.relativize(named.get(0)).toString().replace(File.separatorChar, '/');
        }
    }

    private static String edited(Plant plant, Edit edit, String source) {
        int first = source.indexOf(edit.snippet());
        if (first < 0 || source.indexOf(edit.snippet(), first + 1) >= 0) {
            throw new IllegalStateException("A snippet of plant '" + plant.name() + "' stands "
                    + (first < 0 ? "nowhere" : "more than once") + " in " + edit.file() + ": bring it up to date");
        }
        return source.substring(0, first)
                + edit.replacement()
                + source.substring(first + edit.snippet().length());
    }

    /** A source in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("memory:///" + PACKAGE.replace('.', '/') + "/" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Keeps what the compiler writes. */
    private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        InMemory(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(className, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }
}
