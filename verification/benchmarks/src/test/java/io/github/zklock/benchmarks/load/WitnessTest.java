package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.benchmarks.contender.Claim;
import io.github.zklock.benchmarks.contender.Held;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks that everybody is granted all the time. */
class WitnessTest {

    static final Claim GRANTED_TO_ALL = new Claim() {

        @Override
        public Held take() {
            return () -> {};
        }

        @Override
        public Optional<Held> tryTake() {
            return Optional.of(take());
        }
    };

    @TempDir
    Path folder;

    private Witness witness;
    /** As another process has it. */
    private Witness other;

    @BeforeEach
    void open() throws Exception {
        witness = new Witness(folder.resolve("witness"));
        other = new Witness(folder.resolve("witness"));
    }

    @Test
    void seesTwoHoldersOfAnExclusiveLock() throws Exception {
        witness.exclusive(0, GRANTED_TO_ALL).take();

        refuses(other.exclusive(0, GRANTED_TO_ALL));
    }

    @Test
    void letsOneComeAfterTheOther() throws Exception {
        witness.exclusive(0, GRANTED_TO_ALL).take().close();

        allows(other.exclusive(0, GRANTED_TO_ALL));
    }

    @Test
    void knowsLocksApart() throws Exception {
        witness.exclusive(0, GRANTED_TO_ALL).take();

        allows(witness.exclusive(1, GRANTED_TO_ALL));
    }

    @Test
    void seesOnePermitTooMany() throws Exception {
        witness.permit(0, 2, GRANTED_TO_ALL).take();
        allows(other.permit(0, 2, GRANTED_TO_ALL));

        refuses(other.permit(0, 2, GRANTED_TO_ALL));
    }

    @Test
    void seesAWriterBesideAReader() throws Exception {
        witness.reading(0, GRANTED_TO_ALL).take();
        allows(other.reading(0, GRANTED_TO_ALL));

        refuses(other.writing(0, GRANTED_TO_ALL));
    }

    @Test
    void seesAReaderBesideAWriter() throws Exception {
        witness.writing(0, GRANTED_TO_ALL).take();

        refuses(other.reading(0, GRANTED_TO_ALL));
    }

    private static void allows(Claim claim) {
        assertThatCode(claim::take).doesNotThrowAnyException();
    }

    private static void refuses(Claim claim) {
        assertThatIllegalStateException()
                .isThrownBy(claim::take)
                .withMessageStartingWith("Others have the lock as well");
    }
}
