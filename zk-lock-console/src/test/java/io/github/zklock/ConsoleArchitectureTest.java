package io.github.zklock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConsoleArchitectureTest {

    private static final JavaClasses mainCode = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages("io.github.zklock.console");

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
        rule.below("io.github.zklock.console").check(mainCode);
    }

    @Test
    void thePageDependsOnNoWebServerNoSecurityAndNoZooKeeper() {
        noClasses()
                .that()
                // an endpoint cannot set the headers of its answers
                .haveNameNotMatching(".*\\.PageHeadersConfiguration(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.web..",
                        "org.springframework.security..",
                        "jakarta..",
                        "reactor..",
                        "io.github.zklock.autoconfigure.actuate..",
                        "io.github.zklock.zookeeper..",
                        "org.apache..")
                .check(mainCode);
    }
}
