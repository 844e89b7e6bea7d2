package io.github.zklock;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Finds {@code synchronized}, methods and blocks, in a class file: ArchUnit's own model knows no blocks. */
final class Monitors extends ClassVisitor {
    private boolean used;

    private Monitors() {
        super(Opcodes.ASM9);
    }

    static boolean areUsedBy(JavaClass type) {
        var monitors = new Monitors();
        try (var bytes = type.getSource().orElseThrow().getUri().toURL().openStream()) {
            new ClassReader(bytes).accept(monitors, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return monitors.used;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        used |= (access & Opcodes.ACC_SYNCHRONIZED) != 0;
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitInsn(int opcode) {
                used |= opcode == Opcodes.MONITORENTER;
            }
        };
    }
}
