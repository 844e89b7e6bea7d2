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

/** Tells of a ZooKeeper or Curator jar that is too old for zk-lock, or of one that is missing. */
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
                "Use org.apache.zookeeper:zookeeper 3.9 and org.apache.curator:curator-framework 5.9 with all that they"
                        + " depend on, as zk-lock-bom manages them, and look for what brings another version, for"
                        + " example with mvn dependency:tree -Dincludes=org.apache.zookeeper,org.apache.curator.",
                cause);
    }

    private static boolean isAboutZooKeeper(LinkageError error) {
        String message = String.valueOf(error.getMessage()).replace('/', '.');
        // where a field is missing, Java 17 names the field only
        List<String> whoMissesIt = message.contains(".") ? CLIENT : CLIENT_AND_OURS;
        return CLIENT_AND_OURS.stream().anyMatch(message::contains)
                || whoMissesIt.stream().anyMatch(user(error)::startsWith);
    }

    /** The class that uses what is missing: calls above it are the JVM's own, those below may be anybody's. */
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

    /** The jar's own manifest does not tell. */
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
