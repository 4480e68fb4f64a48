// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.ProjectFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBody;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Markdown page rendered as HTML.
 *
 * @param title text of the first heading
 * @param description text of the first paragraph
 * @param html the whole page; links lead to pages of the site
 * @param links paths of the linked pages, from the project's top folder
 * @param listed linked pages at the start of a list item or a table row
 * @param rows cells of table rows, without header rows, by the anchor of the row
 */
record MarkdownPage(
    String title,
    String description,
    String html,
    Set<String> links,
    Set<String> listed,
    Map<String, List<String>> rows) {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final int DESCRIPTION_LENGTH = 200;
  private static final String FIGURE_ENDING = ".svg";
  private static final Pattern FIGURE =
      Pattern.compile("<p><img src=\"([^\"]+)\" alt=\"([^\"]*)\" /></p>");

  /**
   * Renders a page.
   *
   * @param source path of the page from the project's top folder
   * @param markdown text of the page
   * @param isMade whether the site generates the page, so that its HTML blocks are kept
   * @param pages whether a page exists, by path
   */
  static MarkdownPage of(String source, String markdown, boolean isMade, Predicate<String> pages) {
    Node document = PARSER.parse(markdown);
    LinkRewriter links = new LinkRewriter(source, isMade, pages);
    document.accept(links);
    Anchors anchors = new Anchors();
    String html =
        HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .escapeHtml(!isMade)
            .attributeProviderFactory(context -> anchors)
            .build()
            .render(document)
            // An empty cell is no header.
            .replaceAll("<th([^>]*)></th>", "<td$1></td>");
    return new MarkdownPage(
        first(document, Heading.class),
        shortened(first(document, Paragraph.class)),
        withFigures(html),
        links.pages,
        links.listed,
        anchors.rows);
  }

  /** Embeds the SVG files of figures, so that the stylesheet of the page applies to them. */
  private static String withFigures(String html) {
    return FIGURE
        .matcher(html)
        .replaceAll(
            figure -> {
              String named = "<svg role=\"img\" aria-label=\"" + figure.group(2) + "\" ";
              String svg = ProjectFiles.page(figure.group(1));
              return Matcher.quoteReplacement(
                  "<figure>\n"
                      + svg.replaceFirst("(?s)<style>.*</style>\n", "").replace("<svg ", named)
                      + "</figure>");
            });
  }

  /** Text of the first block of a type. */
  private static String first(Node document, Class<? extends Node> type) {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (type.isInstance(node)) {
        return text(node);
      }
    }
    return "";
  }

  /** Visible text of a node. */
  private static String text(Node node) {
    StringBuilder seen = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            seen.append(text.getLiteral());
          }

          @Override
          public void visit(Code code) {
            seen.append(code.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak end) {
            seen.append(' ');
          }
        });
    return seen.toString().strip();
  }

  private static String shortened(String text) {
    if (text.length() <= DESCRIPTION_LENGTH) {
      return text;
    }
    return text.substring(0, text.lastIndexOf(' ', DESCRIPTION_LENGTH)) + " \u2026";
  }

  /** Adapts links to pages of the site; a link to another file becomes plain text. */
  private static final class LinkRewriter extends AbstractVisitor {
    private final String source;
    private final boolean isMade;
    private final Predicate<String> hasPage;
    private final Set<String> pages = new LinkedHashSet<>();
    private final Set<String> listed = new LinkedHashSet<>();
    private final Set<String> linked = new HashSet<>();

    LinkRewriter(String source, boolean isMade, Predicate<String> hasPage) {
      this.source = source;
      this.isMade = isMade;
      this.hasPage = hasPage;
    }

    @Override
    public void visit(Link link) {
      visitChildren(link);
      String destination = link.getDestination();
      if (destination.startsWith("#") || destination.matches("(https?|mailto):.*")) {
        return;
      }
      int hash = destination.indexOf('#');
      String file = hash < 0 ? destination : destination.substring(0, hash);
      String target = SitePaths.resolve(source, file);
      String fragment = hash < 0 ? "" : destination.substring(hash);
      if (LookUp.SECTIONS.containsKey(target)) {
        String page = fragment.isEmpty() ? "README" : fragment.substring(1);
        target = "docs/" + LookUp.SECTIONS.get(target) + "/" + page + ".md";
        fragment = "";
      }
      if (!hasPage.test(target)) {
        unlink(link);
        return;
      }
      pages.add(target);
      boolean isOfEntry =
          link.getParent() instanceof TableCell || link.getParent().getParent() instanceof ListItem;
      if (isOfEntry && link.getPrevious() == null) {
        listed.add(target);
      }
      String up = SitePaths.up(SitePaths.htmlOf(source));
      link.setDestination(up + SitePaths.htmlOf(target) + fragment);
    }

    /** Links code that names a page, a man page or a Linux source file, at its first occurrence. */
    @Override
    public void visit(Code code) {
      boolean isText =
          code.getParent() instanceof Paragraph || code.getParent() instanceof TableCell;
      String name = code.getLiteral();
      String address = isText ? NameLinks.address(name, hasPage) : "";
      if (address.endsWith(".md") && !address.equals(source)) {
        pages.add(address);
        address = SitePaths.up(SitePaths.htmlOf(source)) + SitePaths.htmlOf(address);
      }
      if (!address.isEmpty() && !address.equals(source) && linked.add(address)) {
        Link link = new Link(address, null);
        code.insertAfter(link);
        link.appendChild(code);
      }
    }

    /** Removes the paragraph on how a page is generated. */
    @Override
    public void visit(Paragraph paragraph) {
      if (text(paragraph).startsWith("Generated ")) {
        paragraph.unlink();
      } else {
        visitChildren(paragraph);
      }
    }

    /** Removes HTML blocks of files, which show pictures of the site. */
    @Override
    public void visit(HtmlBlock block) {
      if (!isMade) {
        block.unlink();
      }
    }

    /** Keeps figures of the project, and replaces other pictures by their text. */
    @Override
    public void visit(Image image) {
      String file = SitePaths.resolve(source, image.getDestination());
      if (file.endsWith(FIGURE_ENDING) && ProjectFiles.has(file)) {
        image.setDestination(file);
        return;
      }
      visitChildren(image);
      unlink(image);
    }

    private static void unlink(Node link) {
      Node child = link.getFirstChild();
      while (child != null) {
        Node next = child.getNext();
        link.insertBefore(child);
        child = next;
      }
      link.unlink();
    }
  }

  /** Adds anchors to headings and table rows, as GitHub does for headings. */
  private static final class Anchors implements AttributeProvider {
    private final Set<String> names = new HashSet<>();
    private final Map<String, List<String>> rows = new LinkedHashMap<>();

    @Override
    public void setAttributes(Node node, String tag, Map<String, String> attributes) {
      if (node instanceof Heading) {
        attributes.put("id", named(text(node)));
      } else if (node instanceof TableRow && node.getParent() instanceof TableBody) {
        List<String> cells = new ArrayList<>();
        for (Node cell = node.getFirstChild(); cell != null; cell = cell.getNext()) {
          cells.add(text(cell));
        }
        String name = named(cells.get(0));
        attributes.put("id", name);
        rows.put(name, cells);
      } else if (tag.equals("table") || tag.equals("pre")) {
        // Makes a scrollable element reachable by keyboard.
        attributes.put("tabindex", "0");
      }
    }

    private String named(String text) {
      String slug =
          text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
      String name = slug;
      for (int i = 1; !names.add(name); i++) {
        name = slug + "-" + i;
      }
      return name;
    }
  }
}
