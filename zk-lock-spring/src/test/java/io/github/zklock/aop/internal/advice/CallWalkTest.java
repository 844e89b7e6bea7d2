package io.github.zklock.aop.internal.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An annotated call does not take a longer path through this module than before. */
class CallWalkTest {

    private static final int MOST_FILES = 12;
    private static final int MOST_METHODS = 40;

    @Test
    void callWithALiteralNameEntersNoMoreFilesAndMethodsThanBefore() throws Exception {
        Method walk = new CallWalk.Loader().loadClass(CallWalk.class.getName()).getDeclaredMethod("ofALiteralName");
        walk.setAccessible(true);

        @SuppressWarnings("unchecked")
        List<String> entered = (List<String>) walk.invoke(null);

        Set<String> files = entered.stream()
                .map(method -> method.split("[.$]", 2)[0])
                .collect(Collectors.toCollection(LinkedHashSet::new));
        System.out.println("one annotated call: " + files.size() + " files, " + entered.size() + " method entries");
        assertThat(entered).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_METHODS);
        assertThat(files).hasSizeLessThanOrEqualTo(MOST_FILES);
    }
}
