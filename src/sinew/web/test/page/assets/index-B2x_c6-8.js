document.title = "a page that has run";
