package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever follows one acquisition through the engine need not open many files. */
class AcquireWalkTest {

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void acquisitionOfAFreeLockPassesThroughFewFilesAndMethods() throws Exception {
        Method walk = new AcquireWalk.Loader()
                .loadClass(AcquireWalk.class.getName())
                .getDeclaredMethod("ofAFreeLock", String.class);
        walk.setAccessible(true);

        @SuppressWarnings("unchecked")
        List<String> entered = (List<String>) walk.invoke(null, real.itself().connectString());

        Set<String> files = entered.stream()
                .map(method -> method.split("[.$]", 2)[0])
                .collect(Collectors.toCollection(LinkedHashSet::new));
        System.out.println(files.size() + " files, " + entered.size() + " methods: " + entered);
        assertThat(files).hasSizeLessThanOrEqualTo(20);
        assertThat(entered).hasSizeLessThanOrEqualTo(150);
    }
}
