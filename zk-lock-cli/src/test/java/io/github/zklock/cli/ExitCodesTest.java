package io.github.zklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.JobNotDueException;
import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class ExitCodesTest {

    private static final LockName NAME = LockName.of("/x");

    @Test
    void eachFailureHasItsCode() {
        assertThat(ExitCodes.of(new LockTimeoutException(NAME, "busy"))).isEqualTo(75);
        assertThat(ExitCodes.of(new JobNotDueException(NAME, "not due", Instant.EPOCH)))
                .isEqualTo(75);
        assertThat(ExitCodes.of(new LockUnavailableException(NAME, "down", null)))
                .isEqualTo(69);
        assertThat(ExitCodes.of(new LockLostException(NAME, "lost"))).isEqualTo(76);
        assertThat(ExitCodes.of(new LockAccessDeniedException(NAME, "denied", null)))
                .isEqualTo(77);
        assertThat(ExitCodes.of(new ConfigurationException("wrong"))).isEqualTo(78);
        assertThat(ExitCodes.of(new IllegalArgumentException("name"))).isEqualTo(64);
        assertThat(ExitCodes.of(new InterruptedException())).isEqualTo(130);
        assertThat(ExitCodes.of(new IllegalStateException("bug"))).isEqualTo(70);
    }

    @Test
    void causeOfAFutureCounts() {
        ExecutionException failed = new ExecutionException(new LockTimeoutException(NAME, "busy"));

        assertThat(ExitCodes.of(failed)).isEqualTo(75);
        assertThat(ExitCodes.message(failed)).isEqualTo("busy");
        assertThat(ExitCodes.message(new IllegalStateException("bug")))
                .isEqualTo("java.lang.IllegalStateException: bug");
        assertThat(ExitCodes.message(new InterruptedException())).isEqualTo("interrupted");
    }
}
