package io.github.zklock.zookeeper.internal.engine;

import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Loads the engine anew, with a call of {@link ErrorPoint#pass} before each call and each allocation. */
final class ErrorPoints extends WovenEngine {

    private static final String POINT = ErrorPoint.class.getName().replace('.', '/');
    /** What stands for the machine, or for the caller's thread, and is replaced in the test. */
    private static final Set<String> NO_ENGINE = Set.of("SystemTime", "Threads", "StackProbe", "EngineLog");

    private final Predicate<String> failing;

    ErrorPoints() {
        this(simpleName -> !NO_ENGINE.contains(simpleName));
    }

    /** @param failing returns whether a class of this simple name has points */
    ErrorPoints(Predicate<String> failing) {
        super(ErrorPoint.LOADER);
        this.failing = failing;
    }

    @Override
    protected ClassVisitor weaver(String simpleName, ClassWriter writer) {
        return failing.test(simpleName) ? new Instrumented(writer) : writer;
    }

    private static final class Instrumented extends ClassVisitor {

        Instrumented(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            // a class whose initialization fails is unusable for good, whatever the engine does
            return name.equals("<clinit>") ? next : new WithPoints(next);
        }
    }

    private static final class WithPoints extends MethodVisitor {

        WithPoints(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            point();
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            point();
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            // NEW is followed by the call of a constructor
            if (opcode == Opcodes.ANEWARRAY) {
                point();
            }
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                point();
            }
            super.visitIntInsn(opcode, operand);
        }

        private void point() {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, POINT, "pass", "()V", false);
        }
    }
}
