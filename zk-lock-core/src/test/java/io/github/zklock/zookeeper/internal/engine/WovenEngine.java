package io.github.zklock.zookeeper.internal.engine;

import java.io.IOException;
import java.io.InputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;

/** Loads the engine anew, and its tests with it, with calls of a test in the engine's methods. */
abstract class WovenEngine extends ClassLoader {

    private static final String PACKAGE = PlantCompiler.PACKAGE + ".";
    private static final String MAIN_CLASSES = "/target/classes/";

    WovenEngine(String name) {
        super(name, WovenEngine.class.getClassLoader());
    }

    /**
     * What puts the calls into a class.
     *
     * @param simpleName of the class
     * @return the same writer if this class is to be left as it is
     */
    abstract ClassVisitor weaver(String simpleName, ClassWriter writer);

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = bytesOf(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private byte[] bytesOf(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] original = in.readAllBytes();
            boolean ofEngine = getParent().getResource(file).getPath().contains(MAIN_CLASSES);
            return ofEngine ? woven(name.substring(name.lastIndexOf('.') + 1), original) : original;
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private byte[] woven(String simpleName, byte[] original) {
        ClassReader reader = new ClassReader(original);
        // a call takes nothing from the stack and leaves nothing there, so all frames stay as they are
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(weaver(simpleName, writer), 0);
        return writer.toByteArray();
    }
}
