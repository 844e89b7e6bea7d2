package io.github.zklock;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommandLineArchitectureTest {

    private static final JavaClasses mainCode = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages("io.github.zklock.cli");

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
        rule.below("io.github.zklock.cli").check(mainCode);
    }
}
