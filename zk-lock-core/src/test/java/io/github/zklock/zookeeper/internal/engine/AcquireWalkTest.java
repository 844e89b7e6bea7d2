package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.RealServer;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The way of one acquisition through the engine does not become longer. */
class AcquireWalkTest {

    private static final int MOST_FILES = 59;
    private static final int MOST_METHODS = 680;
    /** Calls itself to find out how much room there is. */
    private static final String STACK_PROBE = "StackProbe.descend";

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void acquisitionOfAFreeLockEntersNoMoreFilesAndMethodsThanBefore() throws Exception {
        Method walk = new AcquireWalk.Loader()
                .loadClass(AcquireWalk.class.getName())
                .getDeclaredMethod("ofAFreeLock", String.class);
        walk.setAccessible(true);

        @SuppressWarnings("unchecked")
        List<String> entered = (List<String>) walk.invoke(null, real.itself().connectString());

        entered = entered.stream().filter(method -> !method.equals(STACK_PROBE)).toList();
        Set<String> files = entered.stream()
                .map(method -> method.split("[.$]", 2)[0])
                .collect(Collectors.toCollection(LinkedHashSet::new));
        System.out.println("one acquisition: " + files.size() + " files, " + entered.size() + " method entries");
        assertThat(files).hasSizeLessThanOrEqualTo(MOST_FILES);
        assertThat(entered).hasSizeLessThanOrEqualTo(MOST_METHODS);
    }
}
