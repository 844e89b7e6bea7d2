package io.github.zklock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.NullMarked;

/** A rule that the class files below a base package can be held to. */
enum ArchitectureRule {
    API_KNOWS_ONLY_THE_JDK,
    ENGINE_SHOWS_ONE_TYPE,
    EVERY_PACKAGE_IS_NULL_MARKED,
    NAMES_SAY_SOMETHING,
    NOBODY_SLEEPS,
    NOBODY_USES_A_MONITOR,
    NOBODY_WAITS_FOR_THREADS_OF_OTHERS,
    ONLY_THE_ENGINES_LOG_LOGS,
    ONLY_THE_ENGINE_KNOWS_ZOOKEEPER,
    ONLY_THE_WIRE_READS_A_CLOCK,
    PACKAGES_HAVE_NO_CYCLES,
    ROOMS_IMPORT_ONLY_ROOMS_BELOW;

    /** The packages below the engine's, and which of them each may import. */
    private static final Map<String, Set<String>> ROOMS = Map.ofEntries(
            Map.entry("runtime", Set.of()),
            Map.entry("queue", Set.of()),
            Map.entry("transport", Set.of("queue", "runtime")),
            Map.entry("session", Set.of("transport", "queue", "runtime")),
            Map.entry("seat", Set.of("session", "transport", "queue", "runtime")),
            Map.entry("local", Set.of("seat", "session", "transport", "queue", "runtime")),
            Map.entry("inspect", Set.of("queue", "transport")),
            Map.entry("leader", Set.of("runtime")),
            Map.entry("order", Set.of("runtime")),
            Map.entry("joint", Set.of("runtime")),
            Map.entry("deadlock", Set.of("local", "seat", "session", "transport", "queue", "runtime")),
            Map.entry("job", Set.of("session", "transport", "queue", "runtime")),
            Map.entry(
                    "engine",
                    Set.of(
                            "local",
                            "seat",
                            "session",
                            "transport",
                            "queue",
                            "runtime",
                            "inspect",
                            "leader",
                            "order",
                            "joint",
                            "deadlock",
                            "job")));

    ArchRule below(String base) {
        return rule(base, base + ".zookeeper").allowEmptyShould(false);
    }

    private ArchRule rule(String api, String engine) {
        return switch (this) {
            case API_KNOWS_ONLY_THE_JDK ->
                classes()
                        .that()
                        .resideInAPackage(api)
                        .should()
                        .onlyDependOnClassesThat()
                        .resideInAnyPackage("java..", api, api + ".internal", "org.jspecify.annotations");
            case ENGINE_SHOWS_ONE_TYPE ->
                classes()
                        .that(describe("are seen outside", ArchitectureRule::isSeenOutside))
                        .and()
                        .resideInAPackage(engine)
                        .should()
                        .haveNameMatching(".*\\.ZooKeeperLockRegistry(\\$Builder)?");
            case EVERY_PACKAGE_IS_NULL_MARKED ->
                classes()
                        .should(ArchCondition.from(describe(
                                "reside in a null-marked package",
                                type -> type.getPackage().isAnnotatedWith(NullMarked.class))));
            case NAMES_SAY_SOMETHING ->
                classes().should().haveNameNotMatching(".*(Manager|Helper|Utils?|Impl|Info|Data)");
            case NOBODY_SLEEPS -> noClasses().should().accessTargetWhere(target(nameMatching("sleep")));
            case NOBODY_USES_A_MONITOR ->
                noClasses().should(ArchCondition.from(describe("use a monitor", Monitors::areUsedBy)));
            case NOBODY_WAITS_FOR_THREADS_OF_OTHERS ->
                // one timer thread and one pool for all code of the JVM: a stage of a user that blocks there holds up
                // the stages and the deadlines of everybody
                noClasses()
                        .should()
                        .callMethodWhere(describe(
                                "stages or deadlines on threads of the JDK", ArchitectureRule::usesSharedThreads));
            case ONLY_THE_ENGINES_LOG_LOGS ->
                // an appender that blocks must not hold up the loop, a step of the library or a caller with a deadline
                noClasses()
                        .that()
                        .resideInAPackage(engine + "..")
                        .and()
                        .doNotHaveSimpleName("EngineLog")
                        .should()
                        .dependOnClassesThat()
                        .haveFullyQualifiedName("org.slf4j.LoggerFactory");
            case ONLY_THE_ENGINE_KNOWS_ZOOKEEPER ->
                noClasses()
                        .that()
                        .resideOutsideOfPackage(engine + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");
            case ONLY_THE_WIRE_READS_A_CLOCK ->
                noClasses()
                        .that()
                        .haveNameNotMatching(".*\\.(SystemTime|ObservedZooKeeper|Deadline)(\\$.*)?")
                        .should()
                        .accessTargetWhere(target(nameMatching("currentTimeMillis|nanoTime|now|system.+|tick.*"))
                                .and(target(owner(nameMatching("java\\.lang\\.System|java\\.time\\..*")))));
            case PACKAGES_HAVE_NO_CYCLES ->
                slices().assignedFrom(new EachPackage()).should().beFreeOfCycles();
            case ROOMS_IMPORT_ONLY_ROOMS_BELOW ->
                classes()
                        .that()
                        .resideInAPackage(engine + ".internal..")
                        .should(ArchCondition.from(describe(
                                "import only the rooms below their own",
                                type -> type.getDirectDependenciesFromSelf().stream()
                                        .map(dependency -> dependency.getTargetClass())
                                        .allMatch(target -> mayImport(engine, type, target)))));
        };
    }

    private static boolean usesSharedThreads(JavaMethodCall call) {
        JavaClass owner = call.getTargetOwner();
        if (!owner.isAssignableTo(CompletionStage.class) && !owner.isEquivalentTo(CompletableFuture.class)) {
            return false;
        }
        String name = call.getName();
        boolean hasExecutor =
                call.getTarget().getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Executor.class));
        return name.equals("orTimeout")
                || name.equals("completeOnTimeout")
                || name.equals("delayedExecutor")
                || (name.endsWith("Async") && !hasExecutor);
    }

    private static boolean mayImport(String engine, JavaClass type, JavaClass target) {
        String from = type.getPackageName();
        String to = target.getPackageName();
        String rooms = engine + ".internal.";
        return from.equals(to)
                || !(to + ".").startsWith(engine + ".")
                || (to.startsWith(rooms)
                        && ROOMS.getOrDefault(from.substring(rooms.length()), Set.of())
                                .contains(to.substring(rooms.length())));
    }

    private static boolean isSeenOutside(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureRule::isSeenOutside).orElse(true);
    }

    private static final class EachPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "each package";
        }
    }
}
