package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FolderMemoryTest {

    private static final long LASTS = 10;
    private static final int MOST = 10_000;

    private final FolderMemory memory = new FolderMemory(LASTS);

    @Test
    void folderIsKnownForATime() {
        memory.note("/a", true, 5);
        memory.note("/b", false, 5);

        assertThat(memory.isKnown("/a", 5 + LASTS)).isTrue();
        assertThat(memory.isMissing("/a", 5 + LASTS)).isFalse();
        assertThat(memory.isMissing("/b", 5 + LASTS)).isTrue();
        assertThat(memory.isKnown("/a", 6 + LASTS)).isFalse();
        assertThat(memory.isMissing("/b", 6 + LASTS)).isFalse();
    }

    @Test
    void folderThatIsForgottenIsNotKnown() {
        memory.note("/a", true, 5);

        memory.forget("/a");

        assertThat(memory.isKnown("/a", 5)).isFalse();
    }

    @Test
    void oldestNoteIsForgottenFirst() {
        memory.note("/first", true, 0);
        memory.note("/second", true, 0);
        memory.note("/first", true, 0);

        for (int i = 0; i < MOST - 1; i++) {
            memory.note("/" + i, true, 0);
        }

        assertThat(memory.isKnown("/first", 0)).isTrue();
        assertThat(memory.isKnown("/second", 0)).isFalse();
    }
}
