package io.github.zklock.docs.fencing;

import io.github.zklock.FencingToken;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.RestClient;

/** The other side of {@link DocumentController}. */
final class DocumentClient {

    private final RestClient http;

    DocumentClient(String baseUrl) {
        this.http = RestClient.create(baseUrl);
    }

    void put(String id, String content, FencingToken token) {
        http.put()
                .uri("/documents/{id}", id)
                .header("Fencing-Token", token.toString())
                .body(content)
                .retrieve()
                .onStatus(HttpStatus.CONFLICT::equals, (request, response) -> {
                    throw new StaleWriteException("Document " + id, token);
                })
                .toBodilessEntity();
    }
}
