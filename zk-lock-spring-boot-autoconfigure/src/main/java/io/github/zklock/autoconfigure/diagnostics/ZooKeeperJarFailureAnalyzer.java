package io.github.zklock.autoconfigure.diagnostics;

import java.lang.reflect.InvocationTargetException;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/** Explains a start that failed because a ZooKeeper or Curator jar is missing or too old. */
@Order(BeforeGeneralOnes.ORDER)
final class ZooKeeperJarFailureAnalyzer extends AbstractFailureAnalyzer<LinkageError> {

    private static final List<String> CLIENT = List.of("org.apache.zookeeper.", "org.apache.curator.");
    private static final List<String> CLIENT_AND_OURS =
            List.of("org.apache.zookeeper.", "org.apache.curator.", "io.github.zklock.");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LinkageError cause) {
        boolean missingCode = cause instanceof NoClassDefFoundError || cause instanceof IncompatibleClassChangeError;
        if (!missingCode || !isAboutZooKeeper(cause)) {
            return null;
        }
        return new FailureAnalysis(
                "The ZooKeeper client on the class path lacks code that zk-lock uses: "
                        + cause.getClass().getSimpleName() + " for " + cause.getMessage() + ". Found: ZooKeeper "
                        + describe("org.apache.zookeeper.ZooKeeper", zooKeeperVersion()) + ", Curator "
                        + describe("org.apache.curator.framework.CuratorFramework", null) + ".",
                "Use org.apache.zookeeper:zookeeper 3.9 and org.apache.curator:curator-framework 5.9 with their"
                        + " dependencies, as zk-lock-bom manages them, and find the dependency that brings another version,"
                        + " for example with mvn dependency:tree -Dincludes=org.apache.zookeeper,org.apache.curator.",
                cause);
    }

    private static boolean isAboutZooKeeper(LinkageError error) {
        String message = String.valueOf(error.getMessage()).replace('/', '.');
        // if a field is missing, Java 17 reports only the name of the field
        List<String> whoMissesIt = message.contains(".") ? CLIENT : CLIENT_AND_OURS;
        return CLIENT_AND_OURS.stream().anyMatch(message::contains)
                || whoMissesIt.stream().anyMatch(user(error)::startsWith);
    }

    /**
     * Returns the class that uses the missing code. Frames above it belong to the JVM, frames below it may belong to
     * any code.
     */
    private static String user(LinkageError error) {
        return Arrays.stream(error.getStackTrace())
                .map(StackTraceElement::getClassName)
                .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
                .findFirst()
                .orElse("");
    }

    private static String describe(String className, @Nullable String version) {
        Class<?> found = find(className);
        if (found == null) {
            return "none";
        }
        String ofJar = found.getPackage().getImplementationVersion();
        CodeSource source = found.getProtectionDomain().getCodeSource();
        return (version != null ? version : ofJar != null ? ofJar : "of unknown version") + " in "
                + (source == null ? "an unknown place" : source.getLocation());
    }

    /** Returns the version from ZooKeeper's code: the manifest of its jar has none. */
    private static @Nullable String zooKeeperVersion() {
        Class<?> version = find("org.apache.zookeeper.Version");
        try {
            return version == null
                    ? null
                    : (String) version.getMethod("getVersion").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException | LinkageError veryOld) {
            return null;
        }
    }

    private static @Nullable Class<?> find(String className) {
        try {
            return ClassUtils.forName(className, ZooKeeperJarFailureAnalyzer.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError missing) {
            return null;
        }
    }
}
