package io.github.zklock;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArchitectureTest {

    private static final String BASE = "io.github.zklock.";

    static {
        // libraries are imported by name alone, which is faster
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    }

    private static final JavaClasses mainCode = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new NoJars())
            .importPackages("io.github.zklock");

    /** Leaves out the core, which has a test of its own. */
    private static final class NoJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.isJar() && !location.contains("/zk-lock-core/");
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "EVERY_PACKAGE_IS_NULL_MARKED",
                "NAMES_SAY_SOMETHING",
                "NOBODY_SLEEPS",
                "NOBODY_USES_A_MONITOR",
                "NOBODY_WAITS_FOR_THREADS_OF_OTHERS",
                "PACKAGES_HAVE_NO_CYCLES"
            })
    void whatHoldsForTheCoreHoldsHere(ArchitectureRule rule) {
        rule.below("io.github.zklock").check(mainCode);
    }

    @Test
    void nothingNeedsSpringBoot() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.boot..", BASE + "autoconfigure..")
                .check(mainCode);
    }

    @Test
    void locksAreAcquiredOnlyThroughTheApi() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..", BASE + "zookeeper..")
                .check(mainCode);
    }

    @Test
    void annotatedCodeNeedsOnlyTheAnnotationsAndTheApi() {
        classes()
                .that()
                .resideInAPackage(BASE + "annotation")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "io.github.zklock",
                        BASE + "annotation",
                        "org.springframework.core.annotation",
                        "org.springframework.aot.hint.annotation",
                        "org.jspecify.annotations")
                .check(mainCode);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    org.springframework.transaction..             | transaction and fence
                    org.springframework.jdbc..                    | fence
                    org.springframework.integration..             | integration
                    net.javacrumbs.shedlock..                     | shedlock
                    io.micrometer..                               | observation
                    org.springframework.security..                | aop.internal.call
                    org.springframework.web..                     | aop.internal.call
                    """)
    void optionalLibrariesAreUsedOnlyInTheirPackages(String library, String homes) {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        Stream.of(homes.split(" and ")).map(BASE::concat).toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(mainCode);
    }

    @Test
    void reactorIsUsedOnlyForReactiveResults() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        BASE + "aop", BASE + "aop.internal.call", BASE + "reactive", BASE + "transaction")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("reactor..", "kotlinx..", "org.reactivestreams..")
                .check(mainCode);
    }

    @ParameterizedTest
    @CsvSource({"aop, declaration", "declaration, call", "call, advice"})
    void aRoomOfAnnotatedMethodsKnowsNoneAboveIt(String room, String above) {
        List<String> rooms = List.of("declaration", "call", "advice");
        String[] unknown = rooms.subList(rooms.indexOf(above), rooms.size()).stream()
                .map(each -> BASE + "aop.internal." + each)
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(room.equals("aop") ? BASE + room : BASE + "aop.internal." + room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(unknown)
                .check(mainCode);
    }

    @Test
    void internalPackagesAreUsedOnlyThroughTheirConfiguration() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "aop.internal..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(BASE + "aop.internal..")
                        .and(DescribedPredicate.not(nameMatching(".*\\.DistributedLockConfiguration"))))
                .check(mainCode);
    }

    @Test
    void aPackageHasAtMostEighteenFiles() {
        Map<String, Long> files = mainCode.stream()
                .filter(type -> type.getEnclosingClass().isEmpty()
                        && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(files.values()).allMatch(count -> count <= 18);
    }
}
