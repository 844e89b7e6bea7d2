package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.LockedInItsPackage;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.config.TestApplication;
import org.junit.jupiter.api.Test;

class PackageOfALockedMethodTest extends AopTest {

    static class FromElsewhere extends LockedInItsPackage {}

    static class FromHere {

        @DistributedLock("/orders")
        Object work() {
            return heldNow();
        }
    }

    @Test
    void aMethodThatNoProxyCanOverrideIsRejectedAtStartUp() {
        assertThatThrownBy(TestApplication.of(FromElsewhere.class)::start)
                .rootCause()
                .isInstanceOf(InvalidAnnotationException.class)
                .hasMessage(
                        "@DistributedLock on io.github.zklock.aop.PackageOfALockedMethodTest$FromElsewhere.work() is visible only in the package of"
                                + " LockedInItsPackage, where its proxy is not, so it would run without the lock; make it public"
                                + " or protected");
    }

    @Test
    void aMethodForItsOwnPackageIsLockedThere() {
        TestApplication.of(FromHere.class)
                .run(context -> assertThat(context.getBean(FromHere.class).work())
                        .asString()
                        .isEqualTo("[/orders]"));
    }
}
