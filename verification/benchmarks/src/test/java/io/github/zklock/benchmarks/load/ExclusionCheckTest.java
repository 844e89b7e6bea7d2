package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.benchmarks.contender.Held;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks that everybody is granted all the time. */
class ExclusionCheckTest {

    static final LockAdapter GRANTED_TO_ALL = new LockAdapter() {

        @Override
        public Held acquire() {
            return () -> {};
        }

        @Override
        public Optional<Held> tryAcquire() {
            return Optional.of(acquire());
        }
    };

    @TempDir
    Path folder;

    private ExclusionCheck check;
    /** As another process has it. */
    private ExclusionCheck other;

    @BeforeEach
    void open() throws Exception {
        check = new ExclusionCheck(folder.resolve("witness"));
        other = new ExclusionCheck(folder.resolve("witness"));
    }

    @Test
    void seesTwoHoldersOfAnExclusiveLock() throws Exception {
        check.exclusive(0, GRANTED_TO_ALL).acquire();

        refuses(other.exclusive(0, GRANTED_TO_ALL));
    }

    @Test
    void letsOneComeAfterTheOther() throws Exception {
        check.exclusive(0, GRANTED_TO_ALL).acquire().close();

        allows(other.exclusive(0, GRANTED_TO_ALL));
    }

    @Test
    void knowsLocksApart() throws Exception {
        check.exclusive(0, GRANTED_TO_ALL).acquire();

        allows(check.exclusive(1, GRANTED_TO_ALL));
    }

    @Test
    void seesOnePermitTooMany() throws Exception {
        check.permit(0, 2, GRANTED_TO_ALL).acquire();
        allows(other.permit(0, 2, GRANTED_TO_ALL));

        refuses(other.permit(0, 2, GRANTED_TO_ALL));
    }

    @Test
    void seesAWriterBesideAReader() throws Exception {
        check.reading(0, GRANTED_TO_ALL).acquire();
        allows(other.reading(0, GRANTED_TO_ALL));

        refuses(other.writing(0, GRANTED_TO_ALL));
    }

    @Test
    void seesAReaderBesideAWriter() throws Exception {
        check.writing(0, GRANTED_TO_ALL).acquire();

        refuses(other.reading(0, GRANTED_TO_ALL));
    }

    private static void allows(LockAdapter lock) {
        assertThatCode(lock::acquire).doesNotThrowAnyException();
    }

    private static void refuses(LockAdapter lock) {
        assertThatIllegalStateException()
                .isThrownBy(lock::acquire)
                .withMessageStartingWith("Others have the lock as well");
    }
}
