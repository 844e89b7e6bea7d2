package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.benchmarks.contender.LockAdapter;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lock that grants all calls at once. */
class ExclusionCheckTest {

    static final LockAdapter GRANTED_TO_ALL = () -> () -> {};

    @TempDir
    Path folder;

    private ExclusionCheck check;
    /** the check of another process */
    private ExclusionCheck other;

    @BeforeEach
    void open() throws Exception {
        check = new ExclusionCheck(folder.resolve("witness"));
        other = new ExclusionCheck(folder.resolve("witness"));
    }

    @Test
    void rejectsTwoHoldersOfAnExclusiveLock() throws Exception {
        check.exclusive(0, GRANTED_TO_ALL).acquire();

        refuses(other.exclusive(0, GRANTED_TO_ALL));
    }

    @Test
    void acceptsOneHolderAfterTheOther() throws Exception {
        check.exclusive(0, GRANTED_TO_ALL).acquire().close();

        allows(other.exclusive(0, GRANTED_TO_ALL));
    }

    @Test
    void distinguishesLocks() throws Exception {
        check.exclusive(0, GRANTED_TO_ALL).acquire();

        allows(check.exclusive(1, GRANTED_TO_ALL));
    }

    @Test
    void rejectsOnePermitTooMany() throws Exception {
        check.permit(0, 2, GRANTED_TO_ALL).acquire();
        allows(other.permit(0, 2, GRANTED_TO_ALL));

        refuses(other.permit(0, 2, GRANTED_TO_ALL));
    }

    @Test
    void rejectsAWriterBesideAReader() throws Exception {
        check.reading(0, GRANTED_TO_ALL).acquire();
        allows(other.reading(0, GRANTED_TO_ALL));

        refuses(other.writing(0, GRANTED_TO_ALL));
    }

    @Test
    void rejectsAReaderBesideAWriter() throws Exception {
        check.writing(0, GRANTED_TO_ALL).acquire();

        refuses(other.reading(0, GRANTED_TO_ALL));
    }

    private static void allows(LockAdapter lock) {
        assertThatCode(lock::acquire).doesNotThrowAnyException();
    }

    private static void refuses(LockAdapter lock) {
        assertThatIllegalStateException()
                .isThrownBy(lock::acquire)
                .withMessageStartingWith("Others hold the lock as well");
    }
}
