package io.github.zklock.zookeeper.internal.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameWalkTest {

    private static final String SEAT = "_c_7a7f3b9c-8a07-4a2e-9d5b-0c1d2e3f4a5b-lock-0000000001";

    private static final class Listing extends CompletableFuture<List<String>> {

        private final List<String> children;

        Listing(List<String> children) {
            this.children = children;
        }
    }

    /** Answers what it is asked for when somebody waits for it. */
    private static final class Folders implements NameWalk.Lister {

        private final Map<String, List<String>> children = new TreeMap<>();
        private final List<Listing> asked = new ArrayList<>();
        private int requests;
        private int mostAtOnce;
        private int failsAfter = Integer.MAX_VALUE;

        Folders(String... paths) {
            children.put("/locks", new ArrayList<>());
            for (String path : paths) {
                String parent = "/locks";
                for (String segment : path.split("/", -1)) {
                    List<String> siblings = children.get(parent);
                    if (!siblings.contains(segment)) {
                        siblings.add(segment);
                    }
                    parent += "/" + segment;
                    children.putIfAbsent(parent, new ArrayList<>());
                }
            }
        }

        @Override
        public CompletableFuture<List<String>> list(String folder) {
            Listing listing = new Listing(children.get(folder));
            asked.add(listing);
            requests++;
            mostAtOnce = Math.max(mostAtOnce, asked.size());
            return listing;
        }

        @Override
        public List<String> await(CompletableFuture<List<String>> listing) {
            asked.removeIf(each -> each == listing);
            if (failsAfter-- == 0) {
                throw new IllegalStateException("no answer");
            }
            return ((Listing) listing).children;
        }

        boolean nobodyWaits() {
            return asked.stream().allMatch(CompletableFuture::isCancelled);
        }
    }

    private static List<String> page(Folders folders, String after, int limit) throws InterruptedException {
        return new NameWalk("/locks", after.isEmpty() ? "" : "/locks" + after, limit, folders)
                .below("/locks").stream().map(LockName::value).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100})
    void pagesOfAnySizeShowEachNameOnceAndALockBeforeWhatIsBelowIt(int limit) throws InterruptedException {
        Folders folders = new Folders("b/2/x", "a", "b/1", "c", "b/2/y", "b0", "d/1", "b/" + SEAT, "b/2/" + SEAT);
        List<String> all = new ArrayList<>();

        List<String> page = page(folders, "", limit);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = page(folders, page.get(page.size() - 1), limit);
        }

        assertThat(all).containsExactly("/a", "/b", "/b/1", "/b/2", "/b/2/x", "/b/2/y", "/b0", "/c", "/d/1");
    }

    @Test
    void folderWithoutAQueueThatContainsLocksIsNoLock() throws InterruptedException {
        Folders folders = new Folders("jobs/daily", "cli/deep/one", "queued/one", "queued/" + SEAT, "empty");

        assertThat(page(folders, "", 10))
                .containsExactly("/cli/deep/one", "/empty", "/jobs/daily", "/queued", "/queued/one");
    }

    @Test
    void manySiblingsAreListedSomeAtATime() throws InterruptedException {
        Folders folders = new Folders(
                IntStream.range(1000, 2000).mapToObj(Integer::toString).toArray(String[]::new));

        List<String> names = page(folders, "", 10_000);

        assertThat(names).hasSize(1000);
        assertThat(folders.requests).isEqualTo(1001);
        assertThat(folders.mostAtOnce).isEqualTo(NameWalk.AHEAD);
    }

    @Test
    void noMoreIsListedThanThePageCanHold() throws InterruptedException {
        Folders folders = new Folders(
                IntStream.range(1000, 2000).mapToObj(Integer::toString).toArray(String[]::new));

        List<String> names = page(folders, "/1499", 10);

        assertThat(names).hasSize(10).startsWith("/1500");
        assertThat(folders.requests).isLessThanOrEqualTo(12);
        assertThat(folders.nobodyWaits()).isTrue();
    }

    @Test
    void nothingIsAwaitedAnyMoreAfterAFailure() {
        Folders folders = new Folders("a", "b", "c");
        folders.failsAfter = 2;

        assertThatIllegalStateException().isThrownBy(() -> page(folders, "", 10));

        assertThat(folders.requests).isEqualTo(4);
        assertThat(folders.nobodyWaits()).isTrue();
    }
}
