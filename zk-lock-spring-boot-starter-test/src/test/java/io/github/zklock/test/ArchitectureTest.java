package io.github.zklock.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final String PACKAGE = "io.github.zklock.test";

    private static final JavaClasses mainCode = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(PACKAGE);

    @Test
    void publicTypesAreTheClusterTheRegistryAndItsBuilder() {
        assertThat(mainCode.stream().filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)))
                .extracting(JavaClass::getName)
                .containsExactlyInAnyOrder(
                        InMemoryLockCluster.class.getName(),
                        InMemoryLockRegistry.class.getName(),
                        InMemoryLockRegistry.Builder.class.getName());
    }

    @Test
    void onlyTheApiOfTheCoreIsKnown() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", PACKAGE, "io.github.zklock", "org.slf4j", "org.jspecify.annotations")
                .check(mainCode);
    }

    @Test
    void noMethodIsSynchronized() {
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(mainCode);
    }
}
