package io.github.zklock;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import io.github.zklock.planted.Breaches;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArchitectureTest {
    private static final String BASE = "io.github.zklock";
    private static final String PLANTED = BASE + ".planted";

    private static final JavaClasses mainCode = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(BASE);
    private static final JavaClasses plantedBreaches = new ClassFileImporter().importPackages(PLANTED);

    @ParameterizedTest
    @EnumSource
    void mainCodeKeepsTheRule(ArchitectureRule rule) {
        rule.below(BASE).check(mainCode);
    }

    @ParameterizedTest
    @EnumSource
    void plantedBreachOfTheRuleIsFound(ArchitectureRule rule) {
        var found = rule.below(PLANTED).evaluate(plantedBreaches);

        assertThat(found.hasViolation()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {Breaches.SynchronizedBlock.class, Breaches.SynchronizedMethod.class})
    void eachKindOfMonitorIsFound(Class<?> user) {
        assertThat(Monitors.areUsedBy(plantedBreaches.get(user))).isTrue();
    }
}
