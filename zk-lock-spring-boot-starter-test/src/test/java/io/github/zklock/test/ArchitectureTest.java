package io.github.zklock.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import io.github.zklock.test.autoconfigure.LeftoverLocks;
import io.github.zklock.test.autoconfigure.LockServer;
import io.github.zklock.test.autoconfigure.ZkLockTestAutoConfiguration;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final String PACKAGE = "io.github.zklock.test";
    private static final String AUTOCONFIGURE = PACKAGE + ".autoconfigure";

    private static final JavaClasses mainCode = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(PACKAGE);

    @Test
    void onlyTypesThatTestsUseArePublic() {
        assertThat(mainCode.stream().filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)))
                .extracting(JavaClass::getName)
                .containsExactlyInAnyOrder(
                        InMemoryLockCluster.class.getName(),
                        InMemoryLockRegistry.class.getName(),
                        InMemoryLockRegistry.Builder.class.getName(),
                        EmbeddedZooKeeper.class.getName(),
                        EmbeddedZooKeeperExtension.class.getName(),
                        LockAssertions.class.getName(),
                        LockHandleAssert.class.getName(),
                        LockRegistryAssert.class.getName(),
                        LockRecording.class.getName(),
                        AutoConfigureZkLock.class.getName(),
                        LeftoverLocks.class.getName(),
                        LockServer.class.getName(),
                        ZkLockTestAutoConfiguration.class.getName());
    }

    @Test
    void eachLibraryIsUsedOnlyWhereNeeded() {
        classes()
                .that()
                .resideInAPackage(PACKAGE)
                .and()
                .haveNameNotMatching(".*\\.EmbeddedZooKeeper.*")
                .and()
                .haveNameNotMatching(".*\\.Lock.*Assert(ions)?")
                .and()
                .haveNameNotMatching(".*\\.(InMemory|Memory).*")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", PACKAGE, "io.github.zklock", "org.slf4j", "org.jspecify.annotations")
                .check(mainCode);
        classes()
                .that()
                .resideInAPackage(PACKAGE)
                .and()
                .haveNameMatching(".*\\.(InMemory|Memory).*")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", PACKAGE, "io.github.zklock..", "org.jspecify.annotations")
                .check(mainCode);
        noClasses()
                .that()
                .resideInAPackage(PACKAGE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", AUTOCONFIGURE)
                .check(mainCode);
    }

    @Test
    void noMethodIsSynchronized() {
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(mainCode);
    }
}
