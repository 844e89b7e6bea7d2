package io.github.zklock.zookeeper.internal.engine;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Loads the engine anew, with calls of {@link WorkMeter}. */
final class CountedEngine extends WovenEngine {

    private static final String METER = WorkMeter.class.getName().replace('.', '/');
    /** Methods of collections that visit all elements of their single argument. */
    private static final Set<String> COPYING = Set.of("copyOf", "addAll", "removeAll", "containsAll", "retainAll");

    private final Map<String, byte[]> planted;

    /** @param planted classes that stand in for those of the engine */
    CountedEngine(Map<String, byte[]> planted) {
        super("counted");
        this.planted = planted;
    }

    @Override
    protected byte[] codeToWeave(String name) throws ClassNotFoundException {
        byte[] code = planted.get(name);
        return code == null ? super.codeToWeave(name) : code;
    }

    @Override
    protected ClassVisitor weaver(String simpleName, ClassWriter writer) {
        return new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                // the comparisons of a tree are as many as its logarithm
                return name.equals("compareTo")
                        ? super.visitMethod(access, name, descriptor, signature, exceptions)
                        : new Counted(
                                simpleName + "." + name,
                                super.visitMethod(access, name, descriptor, signature, exceptions));
            }
        };
    }

    private static final class Counted extends MethodVisitor {

        private final String method;
        private final Set<Label> passed = new HashSet<>();

        Counted(String method, MethodVisitor next) {
            super(Opcodes.ASM9, next);
            this.method = method;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            step();
        }

        @Override
        public void visitLabel(Label label) {
            passed.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitJumpInsn(int opcode, Label target) {
            if (passed.contains(target)) {
                step();
            }
            super.visitJumpInsn(opcode, target);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            boolean ofCollections = owner.startsWith("java/util/");
            if (ofCollections && descriptor.equals("()I") && name.equals("size")) {
                call("measure", owner);
            } else if (ofCollections && isVisiting(name, descriptor)) {
                call("visit", descriptor.substring(2, descriptor.indexOf(';')));
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }

        /** Returns whether the method has one argument, a collection or map, all of which it visits. */
        private static boolean isVisiting(String name, String descriptor) {
            boolean ofOne =
                    descriptor.startsWith("(Ljava/util/Collection;)") || descriptor.startsWith("(Ljava/util/Map;)");
            return ofOne && (COPYING.contains(name) || name.equals("<init>"));
        }

        private void step() {
            super.visitLdcInsn(method);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, METER, "step", "(Ljava/lang/String;)V", false);
        }

        /** Passes what lies on top of the stack to the meter. */
        private void call(String called, String type) {
            super.visitLdcInsn(method);
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    METER,
                    called,
                    "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;",
                    false);
            super.visitTypeInsn(Opcodes.CHECKCAST, type);
        }
    }
}
