package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles, in memory, those sources that a planted bug changes: of the engine, or of another package. */
public final class PlantCompiler {

    /** As the core's own build: processes of other JDKs than this one's run the classes, too. */
    private static final String RELEASE = "17";

    /** The engine's package, in which and below which its sources stand. */
    static final String PACKAGE = "io.github.zklock.zookeeper";

    private final String topmost;
    private final Path sources;
    private final Map<String, PlantedSource> read = new ConcurrentHashMap<>();

    /** @param root the folder of the core's sources, in which the one of its topmost package stands */
    PlantCompiler(Path root) {
        this(root, PACKAGE);
    }

    /**
     * @param root the folder of sources
     * @param topmost the package in which and below which the changed sources stand
     */
    public PlantCompiler(Path root, String topmost) {
        this.topmost = topmost;
        this.sources = root.resolve(topmost.replace('.', '/'));
    }

    /** The classes of all sources that the bug changes, by their names. */
    public Map<String, byte[]> compile(Plant plant) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
            InMemory files = new InMemory(standard);
            List<String> options = List.of(
                    "--release", RELEASE, "-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
            if (!compiler.getTask(messages, files, null, options, null, planted(plant))
                    .call()) {
                throw new IllegalStateException("Plant '" + plant.name() + "' does not compile:\n" + messages);
            }
            Map<String, byte[]> classes = new HashMap<>();
            files.written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }

    /** Returns the sources that the bug changes, with the bug. */
    List<PlantedSource> planted(Plant plant) throws IOException {
        Map<String, PlantedSource> changed = new LinkedHashMap<>();
        for (Edit edit : plant.edits()) {
            PlantedSource before = changed.containsKey(edit.type()) ? changed.get(edit.type()) : source(edit.type());
            changed.put(edit.type(), before.with(edit));
        }
        return List.copyOf(changed.values());
    }

    /** Returns the one source of this name. */
    PlantedSource source(String type) throws IOException {
        PlantedSource known = read.get(type);
        if (known == null) {
            try (Stream<Path> all = Files.walk(sources)) {
                List<Path> named =
                        all.filter(path -> path.endsWith(type + ".java")).toList();
                if (named.size() != 1) {
                    throw new IllegalStateException(named.size() + " sources are called " + type);
                }
                String path = sources.relativize(named.get(0)).toString().replace(File.separatorChar, '/');
                known = new PlantedSource(topmost.replace('.', '/') + "/" + path, Files.readString(named.get(0)));
            }
            read.put(type, known);
        }
        return known;
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
