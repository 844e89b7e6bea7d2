package io.github.zklock.docs.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/** A service that is written to over a real port by several who think that they hold the lock. */
@OnFencingApplication
class HttpFencingTest {

    private static final String LOCK = "/documents";

    @LocalServerPort
    int port;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    LockRegistry locks;

    @Autowired
    OtherProcess other;

    private DocumentClient documents;

    @BeforeEach
    void connect() {
        documents = new DocumentClient("http://localhost:" + port);
    }

    @Test
    void aRequestMayBeRepeatedByItsHolder() throws InterruptedException {
        try (LockHandle handle = locks.lock(LOCK).acquire()) {
            documents.put("repeated", "first", handle.fencingToken());
            documents.put("repeated", "second", handle.fencingToken());
        }

        assertThat(contentOf("repeated")).isEqualTo("second");
    }

    @Test
    void aRequestOfAHolderThatWasOvertakenIsRefused() throws InterruptedException {
        LockHandle lost = locks.lock(LOCK).acquire();
        other.takeOver(LOCK, token -> documents.put("plan", "of the next", token));

        assertThatExceptionOfType(StaleWriteException.class)
                .isThrownBy(() -> documents.put("plan", "of the late", lost.fencingToken()));

        assertThat(contentOf("plan")).isEqualTo("of the next");
        OtherProcess.closeLost(lost);
    }

    @Test
    void aRequestWithoutATokenIsRefused() {
        assertThatExceptionOfType(HttpClientErrorException.BadRequest.class)
                .isThrownBy(() -> RestClient.create("http://localhost:" + port)
                        .put()
                        .uri("/documents/plan")
                        .body("without")
                        .retrieve()
                        .toBodilessEntity());
    }

    private String contentOf(String id) {
        return jdbc.sql("select content from document where id = :id")
                .param("id", id)
                .query(String.class)
                .single();
    }
}
