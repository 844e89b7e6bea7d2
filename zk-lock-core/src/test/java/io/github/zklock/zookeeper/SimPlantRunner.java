package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimPlants.Edit;
import io.github.zklock.zookeeper.SimPlants.Plant;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the engine with one bug in it, in memory, and lets the simulation look for it. */
final class SimPlantRunner {

    private static final String PACKAGE = "io.github.zklock.zookeeper.";
    private static final Path SOURCES = Path.of("src/main/java/io/github/zklock/zookeeper");

    private SimPlantRunner() {}

    /** What the simulation says of the engine with this bug: see {@link SimHunt#hunt}. */
    static String hunt(Plant plant, long seed, long schedules) {
        try {
            ClassLoader loader = new PlantedLoader(compile(plant));
            Method hunt = loader.loadClass(PACKAGE + "SimHunt")
                    .getDeclaredMethod("hunt", String.class, long.class, long.class, String.class);
            hunt.setAccessible(true);
            return (String) hunt.invoke(null, plant.kinds().name(), seed, schedules, plant.symptom());
        } catch (IOException | ReflectiveOperationException failure) {
            throw new IllegalStateException("Cannot plant '" + plant.name() + "'", failure);
        }
    }

    private static Map<String, byte[]> compile(Plant plant) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
            InMemory files = new InMemory(standard);
            List<String> options =
                    List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
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

    private static Map<String, String> planted(Plant plant) throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Edit edit : plant.edits()) {
            String before = sources.containsKey(edit.file())
                    ? sources.get(edit.file())
                    : Files.readString(SOURCES.resolve(edit.file()));
            sources.put(edit.file(), edited(plant, edit, before));
        }
        return sources;
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
            super(URI.create("memory:///" + PACKAGE.replace('.', '/') + file), Kind.SOURCE);
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

    /** Loads the engine's package anew, with the planted classes in place of their originals. */
    private static final class PlantedLoader extends ClassLoader {
        private final Map<String, byte[]> planted;

        PlantedLoader(Map<String, byte[]> planted) {
            super(SimPlantRunner.class.getClassLoader());
            this.planted = planted;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    byte[] bytes = planted.containsKey(name) ? planted.get(name) : original(name);
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded;
            }
        }

        private byte[] original(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                return in.readAllBytes();
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }
}
