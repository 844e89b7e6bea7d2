package io.github.zklock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import io.github.zklock.embedded.ZkLockEmbeddedAutoConfiguration;
import io.github.zklock.embedded.internal.StandaloneServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArchitectureTest {

    private static final String PACKAGE = "io.github.zklock.embedded";

    private static final JavaClasses mainCode = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(PACKAGE);

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
        rule.below(PACKAGE).check(mainCode);
    }

    @Test
    void theServerKnowsZooKeeperOnly() {
        classes()
                .that()
                .resideInAPackage(PACKAGE + ".internal")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        PACKAGE + ".internal",
                        "org.apache.zookeeper..",
                        "org.slf4j",
                        "org.jspecify.annotations")
                .check(mainCode);
        noClasses()
                .that()
                .resideInAPackage(PACKAGE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.curator..", "io.github.zklock.autoconfigure.internal..")
                .check(mainCode);
    }

    @Test
    void onlyTheConfigurationAndTheServerOfTestsArePublic() {
        assertThat(mainCode.stream().filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)))
                .extracting(JavaClass::getName)
                .containsExactlyInAnyOrder(
                        ZkLockEmbeddedAutoConfiguration.class.getName(), StandaloneServer.class.getName());
    }
}
