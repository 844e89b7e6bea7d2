package io.github.zklock;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArchitectureTest {

    private static final String BASE = "io.github.zklock.";

    static {
        // classes of libraries are not inspected, which would take long
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
            return !location.isJar() && !location.contains("/zk-lock-core/") && !location.contains("/zk-lock-spring/");
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "EVERY_PACKAGE_IS_NULL_MARKED",
                "NAMES_SAY_SOMETHING",
                "NOBODY_SLEEPS",
                "NOBODY_USES_A_MONITOR",
                "PACKAGES_HAVE_NO_CYCLES"
            })
    void whatHoldsForTheCoreHoldsHere(ArchitectureRule rule) {
        rule.below("io.github.zklock").check(mainCode);
    }

    @Test
    void everyAutoConfigurationIsBelowThePackageAutoconfigure() {
        classes()
                .that()
                .areAnnotatedWith("org.springframework.boot.autoconfigure.AutoConfiguration")
                .should()
                .resideInAPackage(BASE + "autoconfigure..")
                .check(mainCode);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    org.springframework.transaction..             | autoconfigure.method
                    org.springframework.jdbc..                    | autoconfigure.fence
                    org.springframework.boot.jdbc..               | autoconfigure.fence
                    org.springframework.boot.sql..                | autoconfigure.fence
                    org.springframework.integration..             | autoconfigure.bridge
                    net.javacrumbs.shedlock..                     | autoconfigure.bridge
                    org.testcontainers..                          | testcontainers
                    org.springframework.boot.testcontainers..     | testcontainers
                    org.springframework.boot.docker..             | docker.compose
                    org.springframework.boot.actuate..            | autoconfigure.actuate
                    org.springframework.boot.health..             | autoconfigure.actuate
                    io.micrometer..                               | autoconfigure.observation
                    org.apache.zookeeper.server..                 | embedded
                    """)
    void optionalLibrariesAreUsedOnlyInTheirPackages(String library, String home) {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + home)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(mainCode);
    }

    @Test
    void reactorIsUsedOnlyForReactiveResults() {
        noClasses()
                .that()
                .resideOutsideOfPackages(BASE + "autoconfigure.method", BASE + "autoconfigure.actuate")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("reactor..", "kotlinx..", "org.reactivestreams..")
                .check(mainCode);
    }

    @ParameterizedTest
    @CsvSource({"autoconfigure.internal.client, 1", "autoconfigure, 2", "autoconfigure.startup, 3"})
    void aRoomOfTheRegistryImportsOnlyTheRoomsBelow(String room, int below) {
        String[] permitted = Stream.of("autoconfigure.internal.client", "autoconfigure", "autoconfigure.startup")
                .limit(below)
                .map(BASE::concat)
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(BASE + room)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(BASE + "autoconfigure..")
                        .and(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(permitted))))
                .check(mainCode);
    }

    @Test
    void theStartUpIsUsedByNoOtherRoom() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "autoconfigure.startup")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BASE + "autoconfigure.startup")
                .check(mainCode);
    }

    @Test
    void theInternalsOfTheClientAreUsedOnlyByTheRoomsThatNeedThem() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        BASE + "autoconfigure",
                        BASE + "autoconfigure.internal..",
                        BASE + "autoconfigure.startup",
                        BASE + "autoconfigure.fence",
                        BASE + "autoconfigure.actuate")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BASE + "autoconfigure.internal..")
                .check(mainCode);
    }

    @Test
    void internalPackagesAreUsedOnlyThroughTheirConfiguration() {
        noClasses()
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(BASE + "aop.internal..")
                        .and(DescribedPredicate.not(nameMatching(".*\\.DistributedLockConfiguration"))))
                .check(mainCode);
    }

    @Test
    void noClassUsesAWebServer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.web..",
                        "org.springframework.security..",
                        "jakarta.servlet..",
                        BASE + "console")
                .check(mainCode);
    }

    @Test
    void atMostHalfOfTheTypesArePublic() {
        List<JavaClass> topLevel = mainCode.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .toList();
        long seen = topLevel.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .count();

        assertThat(topLevel).hasSizeGreaterThan(50);
        assertThat(seen).isLessThanOrEqualTo(topLevel.size() / 2);
    }
}
