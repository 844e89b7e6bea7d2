package io.github.zklock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The versions that {@code zk-lock-bom} manages are those with which the modules are built and tested. */
class BomTest {

    private static final Path ROOT = Path.of("..", "..");

    /** Published, but no application depends on them: the list itself, and a program. */
    private static final Set<String> NO_DEPENDENCIES = Set.of("zk-lock-bom", "zk-lock-cli");

    @Test
    void everyPublishedModuleIsManaged() throws Exception {
        List<String> published = new ArrayList<>();
        NodeList modules = parse("pom.xml").getElementsByTagName("module");
        for (int i = 0; i < modules.getLength(); i++) {
            String module = modules.item(i).getTextContent();
            if (module.startsWith("zk-lock-") && !NO_DEPENDENCIES.contains(module)) {
                published.add("io.github.zklock:" + module);
            }
        }

        assertThat(published).isNotEmpty();
        assertThat(managed("zk-lock-bom/pom.xml")).containsKeys(published.toArray(String[]::new));
    }

    @Test
    void librariesHaveTheVersionsOfTheParent() throws Exception {
        Map<String, String> ofUsers = managed("zk-lock-bom/pom.xml");
        ofUsers.keySet().removeIf(each -> each.startsWith("io.github.zklock:"));

        assertThat(ofUsers).containsKeys("org.apache.curator:curator-recipes", "org.apache.zookeeper:zookeeper");
        assertThat(managed("pom.xml")).containsAllEntriesOf(ofUsers);
    }

    /** The managed dependencies, with their versions. */
    private static Map<String, String> managed(String pom) throws Exception {
        Document parsed = parse(pom);
        Map<String, String> managed = new TreeMap<>();
        NodeList all = ((Element)
                        parsed.getElementsByTagName("dependencyManagement").item(0))
                .getElementsByTagName("dependency");
        for (int i = 0; i < all.getLength(); i++) {
            Element each = (Element) all.item(i);
            managed.put(
                    text(each, "groupId") + ":" + text(each, "artifactId"), resolved(parsed, text(each, "version")));
        }
        return managed;
    }

    private static String resolved(Document pom, String version) {
        if (!version.startsWith("${") || version.startsWith("${project.")) {
            return version;
        }
        String property = version.substring(2, version.length() - 1);
        return pom.getElementsByTagName(property).item(0).getTextContent();
    }

    private static String text(Element parent, String name) {
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeName().equals(name)) {
                return child.getTextContent();
            }
        }
        throw new AssertionError(parent.getTextContent() + " has no " + name);
    }

    private static Document parse(String pom) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(ROOT.resolve(pom).toFile());
    }
}
